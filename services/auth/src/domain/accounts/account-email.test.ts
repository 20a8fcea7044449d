import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { AccountEvent } from './account.events.ts';
import { accountDecider, emailClaim } from './account.ts';
import { openAccountIn } from './account.state.ts';

const opened: AccountEvent = {
  type: 'AccountOpened',
  data: { email: 'ada@example.org', email_key: 'k', name: 'Ada', password_hash: 'h1' },
};
const until = '2026-01-06T08:00:00.000Z';
const before = Date.parse(until) - 1;
const asked: AccountEvent = {
  type: 'EmailChangeAsked',
  data: { change_id: 'c1', email: 'byron@example.org', email_key: 'k2', until },
};
const half = (side: 'present' | 'next'): AccountEvent => ({
  type: 'EmailChangeConfirmed',
  data: { change_id: 'c1', side },
});
const changed: AccountEvent = { type: 'EmailChanged', data: { email: 'byron@example.org', email_key: 'k2' } };
const confirm = (side: 'present' | 'next', now = before, change = 'c1') =>
  ({ type: 'ConfirmEmailChange', change, side, now }) as const;

describe('the e-mail address of an account', () => {
  test('is verified by a link to this very address, once', () => {
    const verified: AccountEvent = { type: 'EmailVerified', data: {} };
    given(accountDecider, opened).when({ type: 'VerifyEmail', emailKey: 'k' }).then(verified);
    given(accountDecider, opened).when({ type: 'VerifyEmail', emailKey: 'k0' }).rejected('invalid_state');
    given(accountDecider, opened, verified).when({ type: 'VerifyEmail', emailKey: 'k' }).unchanged();
    given(accountDecider).when({ type: 'VerifyEmail', emailKey: 'k' }).rejected('not_found');
    expect(openAccountIn(given(accountDecider, opened, verified).state)).toMatchObject({ emailVerified: true });
  });

  test('opened by whoever has proven it is verified at once', () => {
    const command = {
      type: 'OpenAccount',
      email: 'ada@example.org',
      emailKey: 'k',
      name: 'Ada',
      role: 'owner',
    } as const;
    given(accountDecider)
      .when({ ...command, passwordHash: 'h1', emailVerified: true })
      .then(opened, { type: 'EmailVerified', data: {} });
  });

  test('gets one verification mail a minute, and none once it is verified', () => {
    const ask = (now: number) => ({ type: 'AskVerification', now }) as const;
    const now = Date.parse('2026-01-05T08:00:00.000Z');
    given(accountDecider, opened).when(ask(now)).then({ type: 'EmailVerificationAsked', data: {} });
    given(accountDecider, opened, { type: 'EmailVerified', data: {} }).when(ask(now)).unchanged();
    const { verificationAsked } = openAccountIn(
      given(accountDecider, opened, { type: 'EmailVerificationAsked', data: {} }).state,
    )!;
    expect(verificationAsked).toBeGreaterThan(0);
    given(accountDecider, opened, { type: 'EmailVerificationAsked', data: {} })
      .when(ask(verificationAsked + 59_000))
      .unchanged();
    given(accountDecider, opened, { type: 'EmailVerificationAsked', data: {} })
      .when(ask(verificationAsked + 60_000))
      .then({ type: 'EmailVerificationAsked', data: {} });
  });

  test('changes once both addresses have confirmed, in either order; the new one is claimed, the old one is free', () => {
    given(accountDecider, opened, asked).when(confirm('next')).then(half('next'));
    given(accountDecider, opened, asked, half('next')).when(confirm('next')).unchanged();
    given(accountDecider, opened, asked, half('next')).when(confirm('present')).then(half('present'), changed);
    given(accountDecider, opened, asked, half('present')).when(confirm('next')).then(half('next'), changed);
    const done = given(accountDecider, opened, asked, half('next'), half('present'), changed).state;
    expect(openAccountIn(done)).toMatchObject({ email: 'byron@example.org', emailVerified: true });
    expect(openAccountIn(done)).not.toHaveProperty('pendingEmail');
    expect(accountDecider.claims!(changed)).toEqual([{ kind: emailClaim, value: 'k2', rejected: 'email_taken' }]);
    expect(accountDecider.releases!(changed, given(accountDecider, opened, asked).state)).toEqual([
      { kind: emailClaim, value: 'k' },
    ]);
  });

  test('does not change by a link that is expired, replaced, used or of another change, nor to itself', () => {
    given(accountDecider, opened, asked)
      .when(confirm('next', before + 1))
      .rejected('invalid_state');
    given(accountDecider, opened, asked)
      .when(confirm('next', before, 'c0'))
      .rejected('invalid_state');
    given(accountDecider, opened).when(confirm('next')).rejected('invalid_state');
    given(accountDecider, opened, asked, half('next'), half('present'), changed)
      .when(confirm('next'))
      .rejected('invalid_state');
    const ask = { type: 'AskEmailChange', change: 'c2', email: 'ADA@example.org', emailKey: 'k', until } as const;
    given(accountDecider, opened).when(ask).rejected('invalid_state');
  });

  test('of an erased person is gone, whatever was asked before', () => {
    const erased = [
      { ...opened, data: { ...opened.data, email: null, name: null, password_hash: null } } as AccountEvent,
      { ...asked, data: { ...asked.data, email: null } } as AccountEvent,
      half('next'),
    ] as const;
    expect(openAccountIn(given(accountDecider, ...erased).state)).toBeUndefined();
    given(accountDecider, ...erased)
      .when(confirm('present'))
      .rejected('not_found');
  });
});

describe('the password of an account', () => {
  const now = Date.parse('2026-01-05T08:00:00.000Z');
  const ended: AccountEvent = { type: 'SessionsEnded', data: { tokens_not_before: '2026-01-05T08:00:00.000Z' } };

  test('changed by the person or by a link signs the person out everywhere; a link proves the address too', () => {
    const change = (who: 'person' | 'link') =>
      ({ type: 'ChangePassword', passwordHash: 'h2', by: { who, now } }) as const;
    const changed = (by: 'person' | 'link'): AccountEvent => ({
      type: 'PasswordChanged',
      data: { password_hash: 'h2', by },
    });
    given(accountDecider, opened).when(change('person')).then(changed('person'), ended);
    given(accountDecider, opened)
      .when(change('link'))
      .then(changed('link'), ended, { type: 'EmailVerified', data: {} });
  });

  test('is replaced only in the place of the one that the link was made for', () => {
    const change = { type: 'ChangePassword', passwordHash: 'h2', by: { who: 'link', now } } as const;
    given(accountDecider, opened)
      .when({ ...change, instead: 'h0' })
      .rejected('invalid_state');
    expect(given(accountDecider, opened).when({ ...change, instead: 'h1' })).toBeDefined();
  });
});
