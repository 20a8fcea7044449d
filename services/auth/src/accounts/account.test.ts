import { given } from '@lyceum/testkit';
import { describe, expect, test } from '@jest/globals';
import type { AccountEvent } from './account.events.ts';
import { account, emailClaim } from './account.ts';
import { emailKey } from './email.ts';

const opened: AccountEvent = {
  type: 'AccountOpened',
  data: { email: 'ada@example.org', email_key: 'k', name: 'Ada', role: 'owner', password_hash: 'h1' },
};
const open = {
  type: 'open',
  email: 'ada@example.org',
  emailKey: 'k',
  name: 'Ada',
  role: 'owner',
  passwordHash: 'h1',
} as const;

describe('an account', () => {
  test('is opened once and claims its e-mail address', () => {
    given(account).when(open).then(opened);
    given(account, opened).when(open).rejected('invalid_state');
    expect(account.claims!(opened)).toEqual([{ kind: emailClaim, value: 'k', rejected: 'email_taken' }]);
  });

  test('changes its password and keeps the rest', () => {
    const changed: AccountEvent = { type: 'PasswordChanged', data: { password_hash: 'h2' } };
    given(account, opened).when({ type: 'changePassword', passwordHash: 'h2' }).then(changed);
    given(account).when({ type: 'changePassword', passwordHash: 'h2' }).rejected('not_found');
    expect(given(account, opened, changed).state).toMatchObject({ email: 'ada@example.org', passwordHash: 'h2' });
    expect(account.claims!(changed)).toEqual([]);
  });

  test('an e-mail address is claimed by a hash that differs from school to school and not by spelling', () => {
    expect(emailKey('s1', ' Ada@Example.org ')).toBe(emailKey('s1', 'ada@example.org'));
    expect(emailKey('s2', 'ada@example.org')).not.toBe(emailKey('s1', 'ada@example.org'));
    expect(emailKey('s1', 'ada@example.org')).not.toContain('ada');
  });
});
