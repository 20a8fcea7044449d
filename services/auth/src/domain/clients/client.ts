import { type Decider, type Rejection, isoTime, reject } from '@lyceum/kernel';
import { sha256 } from '../../sealing/digest.ts';
import { lifetimes } from '../lifetimes.ts';
import { type ClientEvent, type ClientMetadata, clientEvents } from './client.events.ts';

/** A secret of a client, as its SHA-256. */
export interface ClientSecret {
  readonly hash: string;
  /** Seconds since the epoch at which it ends; undefined = never. */
  readonly until: number | undefined;
}

/** An application that asks for access on behalf of people, or a resource server. */
export interface Client {
  /** Registered by itself, arranged by the operator, or described by a document at its id. */
  readonly kind: 'registered' | 'integration' | 'document';
  readonly metadata: ClientMetadata;
  /** Newest first. */
  readonly secrets: readonly ClientSecret[];
  /** SHA-256 of the token that manages the registration. */
  readonly registrationHash: string | undefined;
  /** RFC 3339. */
  readonly registered: string;
  /** Seconds since the epoch: when it last became another one to people, by itself; 0 = it is as it registered. */
  readonly renamed: number;
  /** RFC 3339, to the day; undefined = it never got a token. */
  readonly lastUse: string | undefined;
  readonly disabled: boolean;
  /** Seconds since the epoch: tokens issued before are void. */
  readonly tokensNotBefore: number;
}

/** Undefined = no such client; gone = it was deleted or has expired. */
export type ClientState = Client | 'gone' | undefined;

/** Whether the client may act at all. */
export const isPresent = (state: ClientState): state is Client => state !== undefined && state !== 'gone';

export interface RegisterClient {
  readonly type: 'RegisterClient';
  readonly kind?: 'registered' | 'integration';
  readonly metadata: ClientMetadata;
  readonly secretHash?: string;
  readonly registrationHash?: string;
}

/** `now` is in seconds since the epoch. */
export type ClientCommand =
  | RegisterClient
  | { readonly type: 'UpdateClient'; readonly metadata: ClientMetadata; readonly secretHash?: string }
  | { readonly type: 'RotateSecret'; readonly secretHash: string; readonly overlap: number; readonly now: number }
  | { readonly type: 'UseClient'; readonly now: number }
  | { readonly type: 'DisableClient'; readonly now: number }
  | { readonly type: 'EnableClient' }
  | { readonly type: 'DeleteClient'; readonly now: number }
  /** Ends a registration whose time is over. */
  | { readonly type: 'ExpireClient'; readonly now: number }
  /** Ends a registration that was never used, to make room. */
  | { readonly type: 'EvictClient' };

export type ClientRejection = 'invalid_client_metadata' | 'invalid_state' | 'not_found';
type Decision = readonly ClientEvent[] | Rejection<ClientRejection>;

/** Whether a client proves itself with a secret, and so has one. */
export const usesSecret = ({ token_endpoint_auth_method: method }: ClientMetadata): boolean =>
  method === 'client_secret_post' || method === 'client_secret_basic';

const seconds = (at: string): number => Math.floor(Date.parse(at) / 1000);

/**
 * When a registration ends, in seconds since the epoch: a day after it when it was never used, else when every token that
 * its last use gave has long expired. Undefined = never: an integration stays until the operator deletes it.
 */
export function expiryOf({ kind, registered, lastUse }: Client): number | undefined {
  if (kind !== 'registered') return undefined;
  if (lastUse === undefined) return seconds(registered) + lifetimes.unusedClient;
  return seconds(lastUse) + lifetimes.clientUseNoted + lifetimes.refreshIdle + lifetimes.usedClientLapse;
}

/** Decides about one client. A client that uses a secret has one, and no other has. */
export const clientDecider: Decider<ClientState, ClientCommand, ClientEvent, ClientRejection> = {
  events: clientEvents,
  initial: undefined,
  decide(command, state): Decision {
    if (command.type === 'RegisterClient') return register(command, state);
    if (!isPresent(state)) return reject('not_found', 'There is no such client');
    switch (command.type) {
      case 'UpdateClient':
        return update(command.metadata, command.secretHash, state);
      case 'RotateSecret':
        return rotate(command, state);
      case 'UseClient':
        return isFresh(state, command.now) ? [] : [{ type: 'ClientUsed', data: {} }];
      case 'DisableClient':
        return state.disabled ? [] : [{ type: 'ClientDisabled', data: ended(command.now) }];
      case 'EnableClient':
        return state.disabled ? [{ type: 'ClientEnabled', data: {} }] : [];
      case 'DeleteClient':
        return [{ type: 'ClientDeleted', data: ended(command.now) }];
      case 'ExpireClient':
        return command.now < (expiryOf(state) ?? Infinity) ? [] : [{ type: 'ClientExpired', data: {} }];
      case 'EvictClient':
        return state.kind === 'registered' && state.lastUse === undefined ? [{ type: 'ClientExpired', data: {} }] : [];
    }
  },
  evolve,
  claims: (event) =>
    event.type === 'ClientRegistered' || event.type === 'ClientUpdated' ? claimsOf(event.data.metadata) : [],
  releases: (event, before) =>
    isPresent(before) && ['ClientUpdated', 'ClientDeleted', 'ClientExpired'].includes(event.type)
      ? claimsOf(before.metadata)
      : [],
};

/** The claim on an API: each belongs to one client of the school. */
export const resourceClaim = { kind: 'resource', valueOf: (uri: string): string => sha256(uri) } as const;

const claimsOf = ({ resources = [] }: ClientMetadata) =>
  resources.map((uri) => ({
    kind: resourceClaim.kind,
    value: resourceClaim.valueOf(uri),
    rejected: 'invalid_client_metadata' as const,
  }));

function register(command: RegisterClient, state: ClientState): Decision {
  const { kind = 'registered', metadata, secretHash, registrationHash } = command;
  if (state) return reject('invalid_client_metadata', 'The client is registered already');
  if (usesSecret(metadata) !== (secretHash !== undefined))
    return reject('invalid_client_metadata', 'Exactly the clients that authenticate by a secret have one');
  const hashes = {
    ...(secretHash === undefined ? {} : { secret_hash: secretHash }),
    ...(registrationHash === undefined ? {} : { registration_hash: registrationHash }),
  };
  return [{ type: 'ClientRegistered', data: { kind, metadata, ...hashes } }];
}

function update(metadata: ClientMetadata, secretHash: string | undefined, state: Client): Decision {
  const hasOne = secretHash !== undefined || usesSecret(state.metadata);
  if (usesSecret(metadata) && !hasOne)
    return reject('invalid_client_metadata', 'A client that authenticates by a secret needs one');
  if (!usesSecret(metadata) && secretHash !== undefined)
    return reject('invalid_client_metadata', 'Only a client that authenticates by a secret has one');
  return [
    { type: 'ClientUpdated', data: { metadata, ...(secretHash === undefined ? {} : { secret_hash: secretHash }) } },
  ];
}

function rotate(
  { secretHash, overlap, now }: Extract<ClientCommand, { type: 'RotateSecret' }>,
  state: Client,
): Decision {
  if (!usesSecret(state.metadata)) return reject('invalid_state', 'The client does not authenticate by a secret');
  return [{ type: 'ClientSecretRotated', data: { secret_hash: secretHash, before_until: now + overlap } }];
}

/** Whether a use was noted in the last day: another one is not worth it. */
export const isFresh = ({ lastUse }: Client, now: number): boolean =>
  lastUse !== undefined && now < seconds(lastUse) + lifetimes.clientUseNoted;

/** Tokens name the second they were issued in, so those of this second end too. */
const ended = (now: number) => ({ tokens_not_before: isoTime((now + 1) * 1000) });

function evolve(state: ClientState, event: ClientEvent, { at }: { readonly at: string }): ClientState {
  if (event.type === 'ClientRegistered') return begun(event.data, at);
  if (!isPresent(state)) return state;
  switch (event.type) {
    case 'ClientUpdated': {
      const { metadata, secret_hash: hash } = event.data;
      const kept = usesSecret(metadata) ? state.secrets : [];
      const renamed = state.kind !== 'registered' || looksAlike(state.metadata, metadata) ? state.renamed : seconds(at);
      return { ...state, metadata, renamed, secrets: hash === undefined ? kept : [{ hash, until: undefined }] };
    }
    case 'ClientSecretRotated': {
      const { secret_hash: hash, before_until: until } = event.data;
      const before = state.secrets.slice(0, 1).map((secret) => ({ ...secret, until }));
      return { ...state, secrets: [{ hash, until: undefined }, ...before] };
    }
    case 'ClientUsed':
      return { ...state, lastUse: at };
    case 'ClientDisabled':
      return { ...state, disabled: true, tokensNotBefore: seconds(event.data.tokens_not_before) };
    case 'ClientEnabled':
      return { ...state, disabled: false };
    case 'ClientDeleted':
    case 'ClientExpired':
      return 'gone';
  }
}

/** Whether people see the same name and the same destinations when they are asked. */
const looksAlike = (one: ClientMetadata, other: ClientMetadata): boolean =>
  one.client_name === other.client_name && other.redirect_uris.every((uri) => one.redirect_uris.includes(uri));

const begun = (data: Extract<ClientEvent, { type: 'ClientRegistered' }>['data'], at: string): Client => ({
  kind: data.kind,
  metadata: data.metadata,
  secrets: data.secret_hash === undefined ? [] : [{ hash: data.secret_hash, until: undefined }],
  registrationHash: data.registration_hash,
  registered: at,
  renamed: 0,
  lastUse: undefined,
  disabled: false,
  tokensNotBefore: 0,
});
