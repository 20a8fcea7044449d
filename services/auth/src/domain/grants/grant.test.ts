import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { GrantEvent } from './grant.events.ts';
import { type Grant, grantDecider, knowsRefresh, isTokenValid } from './grant.ts';

const t0 = 1_767_600_000;
const day = 86_400;
const at = (seconds: number) => new Date(seconds * 1000).toISOString();

const issued: GrantEvent = {
  type: 'GrantIssued',
  data: {
    client: 'client_1',
    account: 'account_1',
    sid: 'session_1',
    scopes: ['openid', 'courses:read'],
    resource: [],
    auth_time: t0 - 5,
    amr: ['pwd'],
    issued: t0,
  },
};
const redeemed: GrantEvent = { type: 'CodeRedeemed', data: {} };
const tokens: GrantEvent = {
  type: 'TokensIssued',
  data: {
    jti: 'j1',
    access_expires: t0 + 600,
    refresh_hash: 'r1',
    refresh_expires: t0 + 14 * day,
    audience: ['https://a'],
  },
};
const rotated: GrantEvent = {
  type: 'RefreshRotated',
  data: { jti: 'j2', access_expires: t0 + 700, refresh_hash: 'r2', refresh_expires: t0 + 100 + 14 * day },
};
const revokedBy = (reason: 'code_replayed' | 'refresh_reused' | 'revoked_by_client', now: number): GrantEvent => ({
  type: 'GrantRevoked',
  data: { reason, until: at(now + 660) },
});
const redeem = { type: 'RedeemCode', jti: 'j1', refreshHash: 'r1', audience: ['https://a'], now: t0 } as const;
const all = ['openid', 'courses:read'];
const refresh = (presented: string, now = t0 + 100, scopes: readonly string[] = all, grace = 0) =>
  ({ type: 'RefreshTokens', presented, jti: 'j2', refreshHash: 'r2', scopes, grace, now }) as const;

describe('a grant', () => {
  test('is issued once', () => {
    const command = {
      type: 'IssueGrant',
      client: 'client_1',
      account: 'account_1',
      sid: 'session_1',
      scopes: ['openid', 'courses:read'],
      resource: [],
      authTime: t0 - 5,
      amr: ['pwd'],
      now: t0,
    } as const;
    given(grantDecider).when(command).then(issued);
    given(grantDecider, issued).when(command).rejected('invalid_grant');
  });

  test('gives tokens for its code', () => given(grantDecider, issued).when(redeem).then(redeemed, tokens));

  test('gives no refresh token when the client may not refresh', () => {
    const { refreshHash: _, ...without } = redeem;
    given(grantDecider, issued)
      .when(without)
      .then(redeemed, { type: 'TokensIssued', data: { jti: 'j1', access_expires: t0 + 600, audience: ['https://a'] } });
  });

  test('RFC 6749 §4.1.2: a second redemption revokes everything', () =>
    given(grantDecider, issued, redeemed, tokens)
      .when({ ...redeem, now: t0 + 3 })
      .then({ type: 'CodeReplayed', data: {} }, revokedBy('code_replayed', t0 + 3)));

  test('RFC 6749 §4.1.2: a replay noticed beside the log revokes too, once', () => {
    const replayed: GrantEvent = { type: 'CodeReplayed', data: {} };
    given(grantDecider, issued)
      .when({ type: 'ReportCodeReplay', now: t0 })
      .then(replayed, revokedBy('code_replayed', t0));
    given(grantDecider, issued, revokedBy('code_replayed', t0)).when({ type: 'ReportCodeReplay', now: t0 }).unchanged();
  });

  test.each(['revoked_by_client', 'code_replayed'] as const)(
    'a grant %s before its code was redeemed gives nothing',
    (reason) => given(grantDecider, issued, revokedBy(reason, t0)).when(redeem).rejected('invalid_grant'),
  );

  test('RFC 9700 §4.14.2: every refresh rotates', () =>
    given(grantDecider, issued, redeemed, tokens).when(refresh('r1')).then(rotated));

  test('RFC 6749 §6: a refresh for fewer scopes says which', () => {
    const { data } = rotated as Extract<GrantEvent, { type: 'RefreshRotated' }>;
    given(grantDecider, issued, redeemed, tokens)
      .when(refresh('r1', t0 + 100, ['openid']))
      .then({ type: 'RefreshRotated', data: { ...data, scopes: ['openid'] } });
  });

  test('RFC 9700 §4.14.2: the same refresh again inside its grace changes nothing', () => {
    const history = given(grantDecider, issued, redeemed, tokens, rotated);
    history.when(refresh('r1', t0 + 129, all, 30)).unchanged();
    history
      .when({ type: 'ReportRefreshReuse', now: t0 + 105 })
      .then({ type: 'RefreshReuseDetected', data: {} }, revokedBy('refresh_reused', t0 + 105));
    expect(history.state!.rotation).toEqual({ presented: 'r1', jti: 'j2', at: t0 + 100, scopes: all });
  });

  test.each<[string, readonly GrantEvent[], ReturnType<typeof refresh>]>([
    ['after the grace', [], refresh('r1', t0 + 130, all, 30)],
    ['with a grace of 0', [], refresh('r1', t0 + 100, all, 0)],
    ['for other scopes', [], refresh('r1', t0 + 101, ['openid'], 30)],
    [
      'when its successor was used',
      [
        {
          type: 'RefreshRotated',
          data: { jti: 'j3', access_expires: t0 + 701, refresh_hash: 'r3', refresh_expires: t0 + 101 + 14 * day },
        },
      ],
      refresh('r1', t0 + 102, all, 30),
    ],
  ])('RFC 9700 §4.14.2: a used refresh token revokes the grant %s', (_, more, command) =>
    given(grantDecider, issued, redeemed, tokens, rotated, ...more)
      .when(command)
      .then({ type: 'RefreshReuseDetected', data: {} }, revokedBy('refresh_reused', command.now)),
  );

  test('an unknown secret with a known grant is refused and revokes nothing: grant ids are no secret', () =>
    given(grantDecider, issued, redeemed, tokens).when(refresh('guess')).rejected('invalid_grant'));

  test('RFC 9700 §4.14.2: a refresh token dies when it was idle for 14 days', () => {
    given(grantDecider, issued, redeemed, tokens)
      .when(refresh('r1', t0 + 14 * day))
      .rejected('invalid_grant');
    expect(
      grantDecider.decide(refresh('r1', t0 + 14 * day - 1), given(grantDecider, issued, redeemed, tokens).state),
    ).toHaveLength(1);
  });

  test('RFC 9700 §4.14.2: the refresh tokens of a grant die 90 days after it', () => {
    const late = t0 + 85 * day;
    const data = { jti: 'j9', access_expires: late, refresh_hash: 'r9', refresh_expires: late + day };
    given(grantDecider, issued, redeemed, tokens, { type: 'RefreshRotated', data })
      .when(refresh('r9', late))
      .then({
        type: 'RefreshRotated',
        data: { jti: 'j2', access_expires: late + 600, refresh_hash: 'r2', refresh_expires: t0 + 90 * day },
      });
  });

  test('a revoked grant refreshes no more, and reuse then adds nothing', () => {
    const history = [issued, redeemed, tokens, rotated, revokedBy('refresh_reused', t0)] as const;
    given(grantDecider, ...history)
      .when(refresh('r2'))
      .rejected('invalid_grant');
    given(grantDecider, ...history)
      .when(refresh('r1'))
      .rejected('invalid_grant');
  });

  test('RFC 7009 §2.2: revoking twice changes nothing the second time', () => {
    const command = { type: 'RevokeGrant', reason: 'revoked_by_client', now: t0 } as const;
    given(grantDecider, issued, redeemed, tokens).when(command).then(revokedBy('revoked_by_client', t0));
    given(grantDecider, issued, revokedBy('revoked_by_client', t0)).when(command).unchanged();
    const token = { type: 'RevokeToken', jti: 'j1', expires: t0 + 600 } as const;
    const tokenRevoked: GrantEvent = { type: 'TokenRevoked', data: { jti: 'j1', until: at(t0 + 660) } };
    given(grantDecider, issued, redeemed, tokens).when(token).then(tokenRevoked);
    given(grantDecider, issued, redeemed, tokens, tokenRevoked).when(token).unchanged();
  });

  test('knows every refresh token it gave, and which access tokens stand', () => {
    const done: GrantEvent = { type: 'TokenRevoked', data: { jti: 'j1', until: at(t0) } };
    const state = given(grantDecider, issued, redeemed, tokens, rotated, done).state as Grant;
    expect(['r1', 'r2', 'r3', '', 'r'].map((hash) => knowsRefresh(state, hash))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(['j1', 'j2'].map((jti) => isTokenValid(state, jti))).toEqual([false, true]);
  });

  test.each([redeem, refresh('r1'), { type: 'ReportCodeReplay', now: t0 }] as const)(
    'that does not exist refuses %j',
    (command) => given(grantDecider).when(command).rejected('invalid_grant'),
  );
});
