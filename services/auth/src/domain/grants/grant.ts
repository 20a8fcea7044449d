import { type Decider, type Rejection, isoTime, reject } from '@lyceum/kernel';
import { clockSkew, lifetimes } from '../lifetimes.ts';
import { type GrantEvent, type RevocationReason, grantEvents } from './grant.events.ts';
import { type Grant, type GrantState, evolve, mayBeRetry, wasUsed } from './grant.state.ts';

export { type Grant, knowsRefresh, mayBeRetry, isTokenValid } from './grant.state.ts';

export interface IssueGrant {
  readonly type: 'IssueGrant';
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
  readonly type: 'RedeemCode';
  readonly jti: string;
  /** Absent when the client may not refresh. */
  readonly refreshHash?: string;
  readonly audience: readonly string[];
  readonly now: number;
}

export interface RefreshTokens {
  readonly type: 'RefreshTokens';
  readonly presented: string;
  readonly jti: string;
  readonly refreshHash: string;
  /** What the client asks for, in the order of the grant: all of its scopes or fewer. */
  readonly scopes: readonly string[];
  /** For so many seconds the same request is the retry of a client that missed the answer, and gives nothing new. */
  readonly grace: number;
  readonly now: number;
}

export type GrantCommand =
  | IssueGrant
  | RedeemCode
  | RefreshTokens
  /** The code was presented again by its own client. */
  | { readonly type: 'ReportCodeReplay'; readonly now: number }
  /** A used refresh token was presented too often to be the retry of a lost answer. */
  | { readonly type: 'ReportRefreshReuse'; readonly now: number }
  | { readonly type: 'RevokeToken'; readonly jti: string; readonly expires: number }
  | { readonly type: 'RevokeGrant'; readonly reason: RevocationReason; readonly now: number };

export type GrantRejection = 'invalid_grant';
type Decision = readonly GrantEvent[] | Rejection<GrantRejection>;

const invalid = (reason: string) => reject<GrantRejection>('invalid_grant', reason);

/**
 * Decides about one grant. The stream's version is the arbiter of every race: two redemptions, two refreshes, or a
 * refresh and a revocation are decided one after the other. A client that refreshes every few minutes makes it thousands
 * of events long, so it has snapshots; nobody's name is in them.
 */
export const grantDecider: Decider<GrantState, GrantCommand, GrantEvent, GrantRejection> = {
  events: grantEvents,
  initial: undefined,
  decide(command, state): Decision {
    if (command.type === 'IssueGrant') return state ? invalid('The grant exists already') : [issued(command)];
    if (!state) return invalid('There is no such grant');
    switch (command.type) {
      case 'RedeemCode':
        return redeem(command, state);
      case 'RefreshTokens':
        return refresh(command, state);
      case 'ReportCodeReplay':
        return replay(command.now, state);
      case 'ReportRefreshReuse':
        return state.revoked ? [] : reused(command.now);
      case 'RevokeToken':
        return state.revoked || state.revokedTokens.includes(command.jti)
          ? []
          : [tokenRevoked(command.jti, command.expires)];
      case 'RevokeGrant':
        return state.revoked ? [] : [revoked(command.reason, command.now)];
    }
  },
  evolve,
  snapshot: { version: 1 },
};

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
    return reused(now);
  }
  if (state.revoked) return invalid('The grant was revoked');
  if (now >= state.refresh.expires) return invalid('The refresh token has expired');
  const tokens = given(command.jti, now, state.issued, command.refreshHash);
  return [{ type: 'RefreshRotated', data: same(scopes, state.scopes) ? tokens : { ...tokens, scopes: [...scopes] } }];
}

const reused = (now: number): Decision => [{ type: 'RefreshReuseDetected', data: {} }, revoked('refresh_reused', now)];

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
