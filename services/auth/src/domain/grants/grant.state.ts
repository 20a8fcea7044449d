import { lifetimes } from '../lifetimes.ts';
import type { GrantEvent, RevocationReason } from './grant.events.ts';

/** How the current tokens came about: what it takes to answer the same request again. */
interface Rotation {
  /** Hash of the refresh token that was used up. */
  readonly presented: string;
  readonly jti: string;
  /** Seconds since the epoch. */
  readonly at: number;
  /** The scopes that were asked for. */
  readonly scopes: readonly string[];
}

/** What one person allowed one client. Times in seconds since the epoch. */
export interface Grant {
  readonly client: string;
  readonly account: string;
  readonly sid: string;
  readonly scopes: readonly string[];
  readonly resource: readonly string[];
  readonly authTime: number;
  readonly amr: readonly string[];
  readonly issued: number;
  readonly redeemed: boolean;
  readonly audience: readonly string[];
  readonly refresh: { readonly hash: string; readonly expires: number } | undefined;
  /** The last one; undefined while the first refresh token is good. */
  readonly rotation: Rotation | undefined;
  /** Refresh tokens that were used up, by the beginning of their hashes, with a space after each: thousands, in the end. */
  readonly used: string;
  readonly revokedTokens: readonly string[];
  readonly revoked: RevocationReason | undefined;
}

/** Undefined = no such grant. */
export type GrantState = Grant | undefined;

/** Whether a refresh token with this hash was ever given out for the grant. */
export const knowsRefresh = (state: Grant, hash: string): boolean =>
  state.refresh?.hash === hash || wasUsed(state, hash);

/**
 * Whether a refresh token was the last one used up, a moment ago, so that its sender may have missed the answer. Not
 * so once its successor was used: then somebody has the answer. How often is counted beside the grant (`refreshRetries`).
 */
export const mayBeRetry = ({ rotation }: Grant, hash: string, now: number, grace: number): boolean =>
  rotation?.presented === hash && now < rotation.at + grace;

/** Whether an access token of the grant still counts, as far as revocation goes. */
export const isTokenValid = (state: Grant, jti: string): boolean =>
  !state.revoked && !state.revokedTokens.includes(jti);

/** Whether a refresh token with this hash was used up. */
export const wasUsed = (state: Grant, hash: string): boolean => ` ${state.used}`.includes(` ${mark(hash)}`);

/** 96 bits are enough to know a token again that its sender must hold whole. */
const mark = (hash: string): string => `${hash.slice(0, 16)} `;

/** What is after an event. */
export function evolve(state: GrantState, event: GrantEvent): GrantState {
  if (event.type === 'GrantIssued') return begun(event.data);
  if (!state) return state;
  switch (event.type) {
    case 'CodeRedeemed':
      return { ...state, redeemed: true };
    case 'TokensIssued':
      return { ...withTokens(state, event.data), audience: event.data.audience };
    case 'RefreshRotated':
      return { ...withTokens(state, event.data), rotation: rotationOf(state, event.data) };
    case 'TokenRevoked':
      return { ...state, revokedTokens: [...state.revokedTokens, event.data.jti] };
    case 'GrantRevoked':
      return { ...state, revoked: event.data.reason };
    case 'CodeReplayed':
    case 'RefreshReuseDetected':
      return state;
  }
}

type Data<Type extends GrantEvent['type']> = Extract<GrantEvent, { type: Type }>['data'];

const begun = (data: Data<'GrantIssued'>): Grant => ({
  client: data.client,
  account: data.account,
  sid: data.sid,
  scopes: data.scopes,
  resource: data.resource,
  authTime: data.auth_time,
  amr: data.amr,
  issued: data.issued,
  redeemed: false,
  audience: [],
  refresh: undefined,
  rotation: undefined,
  used: '',
  revokedTokens: [],
  revoked: undefined,
});

const rotationOf = (state: Grant, data: Data<'RefreshRotated'>): Rotation => ({
  presented: state.refresh?.hash ?? '',
  jti: data.jti,
  at: data.access_expires - lifetimes.accessToken,
  scopes: data.scopes ?? state.scopes,
});

const withTokens = (state: Grant, data: Data<'TokensIssued' | 'RefreshRotated'>): Grant => ({
  ...state,
  refresh:
    data.refresh_hash === undefined ? undefined : { hash: data.refresh_hash, expires: data.refresh_expires ?? 0 },
  used: state.refresh ? state.used + mark(state.refresh.hash) : state.used,
});
