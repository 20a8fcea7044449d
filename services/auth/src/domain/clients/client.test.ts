import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import { lifetimes } from '../lifetimes.ts';
import type { ClientEvent, ClientMetadata } from './client.events.ts';
import { type Client, clientDecider, expiryOf } from './client.ts';

const metadata: ClientMetadata = {
  application_type: 'native',
  redirect_uris: ['http://127.0.0.1/cb'],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  id_token_signed_response_alg: 'RS256',
};
const confidential = { ...metadata, token_endpoint_auth_method: 'client_secret_post' } as const;
const registered: ClientEvent = { type: 'ClientRegistered', data: { kind: 'registered', metadata } };
const withSecret: ClientEvent = {
  type: 'ClientRegistered',
  data: { kind: 'integration', metadata: confidential, secret_hash: 'h' },
};
const at = '2026-01-05T08:00:00.000Z';
const now = Date.parse(at) / 1000;
const notBefore = { tokens_not_before: '2026-01-05T08:00:01.000Z' };
const deleted: ClientEvent = { type: 'ClientDeleted', data: notBefore };
const used: ClientEvent = { type: 'ClientUsed', data: {} };
const state = (...events: readonly ClientEvent[]) => given(clientDecider, ...events).state as Client;

describe('a client', () => {
  test('is registered once', () => {
    given(clientDecider)
      .when({ type: 'RegisterClient', metadata, registrationHash: 'r' })
      .then({
        type: 'ClientRegistered',
        data: { kind: 'registered', metadata, registration_hash: 'r' },
      });
    given(clientDecider, registered).when({ type: 'RegisterClient', metadata }).rejected('invalid_client_metadata');
    given(clientDecider, registered, deleted)
      .when({ type: 'RegisterClient', metadata })
      .rejected('invalid_client_metadata');
  });

  test('has a secret exactly when it authenticates by one', () => {
    given(clientDecider)
      .when({ type: 'RegisterClient', kind: 'integration', metadata: confidential, secretHash: 'h' })
      .then(withSecret);
    given(clientDecider).when({ type: 'RegisterClient', metadata: confidential }).rejected('invalid_client_metadata');
    given(clientDecider)
      .when({ type: 'RegisterClient', metadata, secretHash: 'h' })
      .rejected('invalid_client_metadata');
    given(clientDecider, registered)
      .when({ type: 'UpdateClient', metadata: confidential })
      .rejected('invalid_client_metadata');
    given(clientDecider, withSecret)
      .when({ type: 'UpdateClient', metadata, secretHash: 'i' })
      .rejected('invalid_client_metadata');
  });

  test('keeps its secret through an update, and loses it with the method that needs it', () => {
    const renamed = { ...confidential, client_name: 'B' };
    given(clientDecider, withSecret)
      .when({ type: 'UpdateClient', metadata: renamed })
      .then({ type: 'ClientUpdated', data: { metadata: renamed } });
    expect(state(withSecret, { type: 'ClientUpdated', data: { metadata: renamed } }).secrets).toEqual([
      { hash: 'h', until: undefined },
    ]);
    expect(state(withSecret, { type: 'ClientUpdated', data: { metadata } }).secrets).toEqual([]);
  });

  test('has two secrets while one takes the place of the other, never three', () => {
    given(clientDecider, withSecret)
      .when({ type: 'RotateSecret', secretHash: 'i', overlap: 60, now })
      .then({ type: 'ClientSecretRotated', data: { secret_hash: 'i', before_until: now + 60 } });
    given(clientDecider, registered)
      .when({ type: 'RotateSecret', secretHash: 'i', overlap: 60, now })
      .rejected('invalid_state');
    const rotated = (hash: string): ClientEvent => ({
      type: 'ClientSecretRotated',
      data: { secret_hash: hash, before_until: now + 60 },
    });
    expect(state(withSecret, rotated('i'), rotated('j')).secrets).toEqual([
      { hash: 'j', until: undefined },
      { hash: 'i', until: now + 60 },
    ]);
  });

  test('that is disabled takes its tokens along, those of the same second too, and enabling gives none back', () => {
    given(clientDecider, registered)
      .when({ type: 'DisableClient', now })
      .then({ type: 'ClientDisabled', data: notBefore });
    const disabled: ClientEvent = { type: 'ClientDisabled', data: notBefore };
    given(clientDecider, registered, disabled).when({ type: 'DisableClient', now }).unchanged();
    given(clientDecider, registered, disabled).when({ type: 'EnableClient' }).then({ type: 'ClientEnabled', data: {} });
    given(clientDecider, registered).when({ type: 'EnableClient' }).unchanged();
    const again = state(registered, disabled, { type: 'ClientEnabled', data: {} });
    expect([again.disabled, again.tokensNotBefore]).toEqual([false, now + 1]);
  });

  test('that is deleted or has expired can do nothing any more', () => {
    given(clientDecider, registered).when({ type: 'DeleteClient', now }).then(deleted);
    for (const end of [deleted, { type: 'ClientExpired', data: {} } as ClientEvent])
      for (const type of [
        'UseClient',
        'DisableClient',
        'EnableClient',
        'DeleteClient',
        'ExpireClient',
        'EvictClient',
      ] as const)
        given(clientDecider, registered, end).when({ type, now }).rejected('not_found');
  });

  test('holds its APIs, and gives them back', () => {
    const serving = { ...metadata, resources: ['https://api.example/'] };
    const event: ClientEvent = { type: 'ClientUpdated', data: { metadata: serving } };
    const [claim] = clientDecider.claims!(event);
    expect(claim).toMatchObject({ kind: 'resource', rejected: 'invalid_client_metadata' });
    expect(clientDecider.releases!(deleted, state(registered, event))).toMatchObject([{ value: claim!.value }]);
  });
});

describe('the life of a registration', () => {
  test('is a day when it is never used', () => {
    expect(expiryOf(state(registered))).toBe(now + lifetimes.unusedClient);
    given(clientDecider, registered)
      .when({ type: 'ExpireClient', now: now + lifetimes.unusedClient - 1 })
      .unchanged();
    given(clientDecider, registered)
      .when({ type: 'ExpireClient', now: now + lifetimes.unusedClient })
      .then({ type: 'ClientExpired', data: {} });
  });

  test('outlasts every token that its last use gave', () => {
    const longest = now + lifetimes.clientUseNoted + lifetimes.refreshIdle;
    expect(expiryOf(state(registered, used))).toBeGreaterThan(longest);
    given(clientDecider, registered, used).when({ type: 'ExpireClient', now: longest }).unchanged();
  });

  test('has its uses noted once a day', () => {
    given(clientDecider, registered).when({ type: 'UseClient', now }).then(used);
    given(clientDecider, registered, used)
      .when({ type: 'UseClient', now: now + lifetimes.clientUseNoted - 1 })
      .unchanged();
    given(clientDecider, registered, used)
      .when({ type: 'UseClient', now: now + lifetimes.clientUseNoted })
      .then(used);
  });

  test('ends early, to make room, only when it was never used', () => {
    given(clientDecider, registered).when({ type: 'EvictClient' }).then({ type: 'ClientExpired', data: {} });
    given(clientDecider, registered, used).when({ type: 'EvictClient' }).unchanged();
    given(clientDecider, withSecret).when({ type: 'EvictClient' }).unchanged();
  });

  test('never ends by itself when the operator arranged it', () => {
    expect(expiryOf(state(withSecret))).toBeUndefined();
    given(clientDecider, withSecret)
      .when({ type: 'ExpireClient', now: now * 2 })
      .unchanged();
  });
});
