import { type Decider, reject } from '@lyceum/kernel';
import { type ClientEvent, type ClientMetadata, clientEvents } from './client.events.ts';

/** An application that asks for access on behalf of people. */
export interface Client {
  readonly metadata: ClientMetadata;
  readonly secretHash: string | undefined;
  /** RFC 3339. */
  readonly registered: string;
}

/** Undefined = no such client. */
export type ClientState = Client | undefined;

export interface RegisterClient {
  readonly type: 'register';
  readonly metadata: ClientMetadata;
  readonly secretHash?: string;
}

export type ClientRejection = 'invalid_client_metadata';

/** Decides about one client. A confidential client has a secret and a public one has none. */
export const client: Decider<ClientState, RegisterClient, ClientEvent, ClientRejection> = {
  events: clientEvents,
  initial: undefined,
  decide({ metadata, secretHash }, state) {
    if (state) return reject('invalid_client_metadata', 'The client is registered already');
    if ((metadata.token_endpoint_auth_method === 'none') !== (secretHash === undefined))
      return reject('invalid_client_metadata', 'Exactly the confidential clients have a secret');
    return [{ type: 'ClientRegistered', data: { metadata, ...(secretHash ? { secret_hash: secretHash } : {}) } }];
  },
  evolve: (_, event, { at }) => ({
    metadata: event.data.metadata,
    secretHash: event.data.secret_hash,
    registered: at,
  }),
};
