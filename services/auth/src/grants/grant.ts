import { type Decider, type Rejection, isoTime, reject } from '@lyceum/kernel';
import { clockSkew, lifetimes } from '../lifetimes.ts';
import { type GrantEvent, type RevocationReason, grantEvents } from './grant.events.ts';

/** Refresh tokens that were used up, newest first: a list that shares its tail, so a long history folds in linear time. */
interface Used {
  readonly hash: string;
  readonly before: Used | undefined;
}

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
  readonly used: Used | undefined;
  readonly revokedTokens: ReadonlySet<string>;
  readonly revoked: RevocationReason | undefined;
}

/** Undefined = no such grant. */
export type GrantState = Grant | undefined;

export interface IssueGrant {
  readonly type: 'issue';
  readonly client: string;
  readonly account: string;
  readonly sid: string;
  readonly scopes: readonly string[];
  readonly resource: readonly string[];
  readonly authTime: number;
  readonly amr: readonly string[];
  readonly now: number;
}

export interface RedeemCode {
  readonly type: 'redeem';
  readonly jti: string;
  /** Absent when the client may not refresh. */
  readonly refreshHash?: string;
  readonly audience: readonly string[];
  readonly now: number;
}

export interface RefreshTokens {
  readonly type: 'refresh';
  readonly presented: string;
  readonly jti: string;
  readonly refreshHash: string;
  /** What the client asks for, in the order of the grant: all of its scopes or fewer. */
  readonly scopes: readonly string[];
  /** For so many seconds the same request is the retry of a client that missed the answer, and changes nothing. */
  readonly grace: number;
  readonly now: number;
}

export type GrantCommand =
  | IssueGrant
  | RedeemCode
  | RefreshTokens
  /** The code was presented again by its own client. */
  | { readonly type: 'replay'; readonly now: number }
  | { readonly type: 'revokeToken'; readonly jti: string; readonly expires: number }
  | { readonly type: 'revoke'; readonly reason: RevocationReason; readonly now: number };

export type GrantRejection = 'invalid_grant';
type Decision = readonly GrantEvent[] | Rejection<GrantRejection>;

const invalid = (reason: string) => reject<GrantRejection>('invalid_grant', reason);

/**
 * Decides about one grant. The stream's version is the arbiter of every race: two redemptions, two refreshes, or a
 * refresh and a revocation are decided one after the other.
 */
export const grant: Decider<GrantState, GrantCommand, GrantEvent, GrantRejection> = {
  events: grantEvents,
  initial: undefined,
  decide(command, state): Decision {
    if (command.type === 'issue') return state ? invalid('The grant exists already') : [issued(command)];
    if (!state) return invalid('There is no such grant');
    switch (command.type) {
      case 'redeem':
        return redeem(command, state);
      case 'refresh':
        return refresh(command, state);
      case 'replay':
        return replay(command.now, state);
      case 'revokeToken':
        return state.revoked || state.revokedTokens.has(command.jti)
          ? []
          : [tokenRevoked(command.jti, command.expires)];
      case 'revoke':
        return state.revoked ? [] : [revoked(command.reason, command.now)];
    }
  },
  evolve,
};

/** Whether a refresh token with this hash was ever given out for the grant. */
export const knowsRefresh = (state: Grant, hash: string): boolean =>
  state.refresh?.hash === hash || wasUsed(state, hash);

/**
 * Whether a refresh token was the last one used up, a moment ago, so that whoever sends it may have missed the answer. Not
 * so once its successor was used: then somebody has the answer.
 */
export const mayBeRetry = ({ rotation }: Grant, hash: string, now: number, grace: number): boolean =>
  rotation?.presented === hash && now < rotation.at + grace;

/** Whether an access token of the grant still counts, as far as revocation goes. */
export const tokenStands = (state: Grant, jti: string): boolean => !state.revoked && !state.revokedTokens.has(jti);

function issued({ client, account, sid, scopes, resource, authTime, amr, now }: IssueGrant): GrantEvent {
  const lists = { scopes: [...scopes], resource: [...resource], amr: [...amr] };
  return { type: 'GrantIssued', data: { client, account, sid, ...lists, auth_time: authTime, issued: now } };
}

/** The first redemption gives tokens, every other one ends the grant. @see RFC 6749 §4.1.2 */
function redeem(command: RedeemCode, state: Grant): Decision {
  if (state.redeemed) return replay(command.now, state);
  if (state.revoked) return invalid('The grant was revoked');
  const { jti, now, refreshHash } = command;
  const tokens = given(jti, now, state.issued, refreshHash);
  return [
    { type: 'CodeRedeemed', data: {} },
    { type: 'TokensIssued', data: { ...tokens, audience: [...command.audience] } },
  ];
}

/** Only the replay that revokes is recorded: fifty at once must not queue up to say it again, nor make the stream grow. */
const replay = (now: number, state: Grant): Decision =>
  state.revoked ? [] : [{ type: 'CodeReplayed', data: {} }, revoked('code_replayed', now)];

/**
 * A used token comes back when its answer was lost, soon and with the same request, or when two parties hold it: then the
 * whole grant ends.
 * @see RFC 9700 §4.14.2
 */
function refresh(command: RefreshTokens, state: Grant): Decision {
  const { presented, now, scopes, grace } = command;
  if (state.refresh?.hash !== presented) {
    if (!wasUsed(state, presented)) return invalid('The refresh token is unknown');
    if (state.revoked) return invalid('The grant was revoked');
    if (mayBeRetry(state, presented, now, grace) && same(scopes, state.rotation!.scopes)) return [];
    return [{ type: 'RefreshReuseDetected', data: {} }, revoked('refresh_reused', now)];
  }
  if (state.revoked) return invalid('The grant was revoked');
  if (now >= state.refresh.expires) return invalid('The refresh token has expired');
  const tokens = given(command.jti, now, state.issued, command.refreshHash);
  return [{ type: 'RefreshRotated', data: same(scopes, state.scopes) ? tokens : { ...tokens, scopes: [...scopes] } }];
}

const same = (some: readonly string[], others: readonly string[]): boolean => some.join(' ') === others.join(' ');

function given(jti: string, now: number, since: number, refreshHash: string | undefined) {
  const access = { jti, access_expires: now + lifetimes.accessToken };
  if (refreshHash === undefined) return access;
  const expires = Math.min(now + lifetimes.refreshIdle, since + lifetimes.refreshAbsolute);
  return { ...access, refresh_hash: refreshHash, refresh_expires: expires };
}

const until = (expires: number): string => isoTime((expires + clockSkew) * 1000);

const tokenRevoked = (jti: string, expires: number): GrantEvent => ({
  type: 'TokenRevoked',
  data: { jti, until: until(expires) },
});

const revoked = (reason: RevocationReason, now: number): GrantEvent => ({
  type: 'GrantRevoked',
  data: { reason, until: until(now + lifetimes.accessToken) },
});

function wasUsed(state: Grant, hash: string): boolean {
  for (let each = state.used; each; each = each.before) if (each.hash === hash) return true;
  return false;
}

function evolve(state: GrantState, event: GrantEvent): GrantState {
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
      return { ...state, revokedTokens: new Set([...state.revokedTokens, event.data.jti]) };
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
  used: undefined,
  revokedTokens: new Set(),
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
  used: state.refresh ? { hash: state.refresh.hash, before: state.used } : state.used,
});
