import { given } from '@lyceum/testkit';
import { describe, test } from '@jest/globals';
import type { ClientEvent, ClientMetadata } from './client.events.ts';
import { client } from './client.ts';

const metadata: ClientMetadata = {
  application_type: 'native',
  redirect_uris: ['http://127.0.0.1/cb'],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  id_token_signed_response_alg: 'RS256',
};
const registered: ClientEvent = { type: 'ClientRegistered', data: { metadata } };
const confidential = { ...metadata, token_endpoint_auth_method: 'client_secret_post' } as const;

describe('a client', () => {
  test('is registered once', () => {
    given(client).when({ type: 'register', metadata }).then(registered);
    given(client, registered).when({ type: 'register', metadata }).rejected('invalid_client_metadata');
  });

  test('has a secret exactly when it is confidential', () => {
    const data = { metadata: confidential, secret_hash: 'h' };
    given(client)
      .when({ type: 'register', metadata: confidential, secretHash: 'h' })
      .then({ type: 'ClientRegistered', data });
    given(client).when({ type: 'register', metadata: confidential }).rejected('invalid_client_metadata');
    given(client).when({ type: 'register', metadata, secretHash: 'h' }).rejected('invalid_client_metadata');
  });
});
