import { beforeEach, describe, expect, test } from '@jest/globals';
import { FakeClock } from '@lyceum/testkit';
import { type TokenFacts, type TrustState, trustState } from '../index.ts';

const issuedAt = (iso: string): number => Math.floor(Date.parse(iso) / 1000);
const token = (over: Partial<TokenFacts> = {}): TokenFacts => ({
  jti: 'j1',
  grant: 'g1',
  subject: 'acc_1',
  client: 'client_1',
  issued: issuedAt('2026-01-05T08:00:00Z'),
  ...over,
});

let clock: FakeClock;
let trust: TrustState;
beforeEach(() => {
  clock = new FakeClock();
  trust = trustState(clock);
});

const at = '2026-01-05T08:00:00.000Z';
const school = (type: string, data: unknown, tenant = 's1') =>
  trust.apply({ source: 'school', tenant, at, fact: { type, data } });
const auth = (type: string, data: unknown, tenant = 's1') =>
  trust.apply({ source: 'auth', tenant, at, fact: { type, data } });
const tokens_not_before = '2026-01-05T08:00:10.500Z';

describe('a member whose role changed', () => {
  const changed = (from: string, to: string) =>
    school('MemberRoleChanged', { member_id: 'acc_1', from, to, by: 'acc_2', tokens_not_before });

  test('counts with the new role, whatever the token says, in that school only', () => {
    expect(trust.role('s1', 'acc_1')).toBeUndefined();
    changed('admin', 'member');
    expect(trust.role('s1', 'acc_1')).toBe('member');
    expect(trust.role('s2', 'acc_1')).toBeUndefined();
    expect(trust.role('s1', 'acc_2')).toBeUndefined();
    changed('member', 'lecturer');
    expect(trust.role('s1', 'acc_1')).toBe('lecturer');
  });

  test('keeps the tokens: only the role that they carry is void', () => {
    changed('admin', 'member');
    expect(trust.denied('s1', token())).toBe(false);
  });

  test('is forgotten a day later, when no token with the old role is left', () => {
    changed('admin', 'member');
    clock.advance(23 * 3_600_000);
    expect(trust.role('s1', 'acc_1')).toBe('member');
    clock.advance(2 * 3_600_000);
    expect(trust.role('s1', 'acc_1')).toBeUndefined();
  });
});

describe('a member who is suspended or erased', () => {
  test('a suspended member has no good token, old or new, in that school only', () => {
    school('MemberSuspended', { member_id: 'acc_1', tokens_not_before });
    expect(trust.denied('s1', token())).toBe(true);
    expect(trust.denied('s1', token({ issued: issuedAt('2026-01-05T09:00:00Z') }))).toBe(true);
    expect(trust.denied('s1', token({ subject: 'acc_2' }))).toBe(false);
    expect(trust.denied('s2', token())).toBe(false);
  });

  test('a reinstated one counts again, in the role of now, but not with tokens from before', () => {
    school('MemberSuspended', { member_id: 'acc_1', tokens_not_before });
    school('MemberReinstated', { member_id: 'acc_1', role: 'lecturer' });
    expect(trust.denied('s1', token())).toBe(true);
    expect(trust.denied('s1', token({ issued: issuedAt('2026-01-05T08:00:11Z') }))).toBe(false);
    expect(trust.role('s1', 'acc_1')).toBe('lecturer');
  });

  test('an erased one never counts again, whatever comes later', () => {
    school('MemberErased', { member_id: 'acc_1', tokens_not_before });
    school('MemberReinstated', { member_id: 'acc_1', role: 'member' });
    expect(trust.denied('s1', token({ issued: issuedAt('2026-01-05T09:00:00Z') }))).toBe(true);
  });
});

describe('a person who is signed out everywhere', () => {
  test('has no good token from before; a token of the very second is from before, for its time says no more', () => {
    auth('SessionsEnded', { account_id: 'acc_1', tokens_not_before });
    expect(trust.denied('s1', token({ issued: issuedAt('2026-01-05T08:00:10Z') }))).toBe(true);
    expect(trust.denied('s1', token({ issued: issuedAt('2026-01-05T08:00:11Z') }))).toBe(false);
    expect(trust.denied('s1', token({ subject: 'acc_2' }))).toBe(false);
  });

  test('an earlier end that comes again changes nothing', () => {
    auth('SessionsEnded', { account_id: 'acc_1', tokens_not_before });
    auth('SessionsEnded', { account_id: 'acc_1', tokens_not_before: '2026-01-05T07:00:00Z' });
    expect(trust.denied('s1', token({ issued: issuedAt('2026-01-05T08:00:05Z') }))).toBe(true);
  });

  test('the facts of school and auth about one person do not undo each other', () => {
    school('MemberSuspended', { member_id: 'acc_1', tokens_not_before });
    auth('SessionsEnded', { account_id: 'acc_1', tokens_not_before: '2026-01-05T08:10:00Z' });
    expect(trust.denied('s1', token({ issued: issuedAt('2026-01-05T09:00:00Z') }))).toBe(true);
    school('MemberReinstated', { member_id: 'acc_1', role: 'member' });
    expect(trust.denied('s1', token({ issued: issuedAt('2026-01-05T08:05:00Z') }))).toBe(true);
    expect(trust.denied('s1', token({ issued: issuedAt('2026-01-05T08:10:00Z') }))).toBe(false);
  });
});

describe('a disabled client', () => {
  test('has no good token; once enabled, those from before stay void', () => {
    auth('ClientDisabled', { client: 'client_1', tokens_not_before });
    expect(trust.denied('s1', token({ issued: issuedAt('2026-01-05T09:00:00Z') }))).toBe(true);
    expect(trust.denied('s1', token({ client: 'client_2' }))).toBe(false);
    auth('ClientEnabled', { client: 'client_1' });
    expect(trust.denied('s1', token())).toBe(true);
    expect(trust.denied('s1', token({ issued: issuedAt('2026-01-05T09:00:00Z') }))).toBe(false);
  });
});

test('only the owner of a fact is believed, and a malformed one throws and changes nothing', () => {
  auth('MemberSuspended', { member_id: 'acc_1', tokens_not_before });
  school('ClientDisabled', { client: 'client_1', tokens_not_before });
  expect(() => school('MemberSuspended', { member_id: 'acc_1', tokens_not_before: 'soon' })).toThrow('time');
  expect(() => school('MemberRoleChanged', { member_id: 'acc_1', to: 'god', tokens_not_before })).toThrow();
  expect(trust.denied('s1', token())).toBe(false);
});
