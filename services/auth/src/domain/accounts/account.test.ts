import { describe, expect, test } from '@jest/globals';
import { Vault, memoryKeyStore } from '@lyceum/eventlog';
import { given } from '@lyceum/testkit';
import { randomBytes } from 'node:crypto';
import type { AccountEvent } from './account.events.ts';
import { accountDecider, emailClaim } from './account.ts';
import { openAccountIn } from './account.state.ts';
import { emailKey } from './email-key.ts';

const opened: AccountEvent = {
  type: 'AccountOpened',
  data: { email: 'ada@example.org', email_key: 'k', name: 'Ada', password_hash: 'h1' },
};
const open = {
  type: 'OpenAccount',
  email: 'ada@example.org',
  emailKey: 'k',
  name: 'Ada',
  passwordHash: 'h1',
} as const;

describe('an account', () => {
  test('is opened once and claims its e-mail address', () => {
    given(accountDecider).when(open).then(opened);
    given(accountDecider, opened).when(open).rejected('invalid_state');
    expect(accountDecider.claims!(opened)).toEqual([{ kind: emailClaim, value: 'k', rejected: 'email_taken' }]);
  });

  test('changes its password and keeps the rest', () => {
    const changed: AccountEvent = { type: 'PasswordChanged', data: { password_hash: 'h2' } };
    given(accountDecider, opened).when({ type: 'ChangePassword', passwordHash: 'h2' }).then(changed);
    given(accountDecider).when({ type: 'ChangePassword', passwordHash: 'h2' }).rejected('not_found');
    expect(given(accountDecider, opened, changed).state).toMatchObject({
      email: 'ada@example.org',
      passwordHash: 'h2',
    });
    expect(accountDecider.claims!(changed)).toEqual([]);
  });

  test('is signed out everywhere as of a moment, again whenever that is asked', () => {
    const ended: AccountEvent = { type: 'SessionsEnded', data: { tokens_not_before: '2026-01-05T08:00:00.500Z' } };
    const now = Date.parse('2026-01-05T08:00:00.500Z');
    given(accountDecider, opened).when({ type: 'EndSessions', now }).then(ended);
    expect(openAccountIn(given(accountDecider, opened).state)).toMatchObject({ notBefore: 0 });
    expect(openAccountIn(given(accountDecider, opened, ended).state)).toMatchObject({ notBefore: now, name: 'Ada' });
    given(accountDecider).when({ type: 'EndSessions', now }).rejected('not_found');
    given(accountDecider, opened, { type: 'AccountClosed', data: {} })
      .when({ type: 'EndSessions', now })
      .rejected('not_found');
  });

  test('of an erased person is no account any more; closing it frees the address, once', () => {
    const erased: AccountEvent = {
      type: 'AccountOpened',
      data: { ...opened.data, email: null, name: null, password_hash: null },
    };
    const closed: AccountEvent = { type: 'AccountClosed', data: {} };
    expect(openAccountIn(given(accountDecider, opened).state)).toMatchObject({ email: 'ada@example.org' });
    for (const past of [
      [erased],
      [erased, closed],
      [opened, closed],
      [opened, { type: 'PasswordChanged', data: { password_hash: null } }],
    ] as const)
      expect(openAccountIn(given(accountDecider, ...(past as readonly AccountEvent[])).state)).toBeUndefined();
    given(accountDecider, erased).when({ type: 'CloseAccount' }).then(closed);
    given(accountDecider, erased, closed).when({ type: 'CloseAccount' }).unchanged();
    given(accountDecider, erased).when({ type: 'ChangePassword', passwordHash: 'h2' }).rejected('not_found');
    given(accountDecider).when({ type: 'CloseAccount' }).rejected('not_found');
    expect(accountDecider.releases!(closed, given(accountDecider, erased).state)).toEqual([
      { kind: emailClaim, value: 'k' },
    ]);
    expect(accountDecider.releases!(opened, undefined)).toEqual([]);
  });

  test('an e-mail address is claimed by a keyed hash, which differs from school to school and not by spelling', async () => {
    const vault = new Vault(memoryKeyStore(), [randomBytes(32)]);
    const key = await emailKey(vault, 's1', ' Ada@Example.org ');
    expect(await emailKey(vault, 's1', 'ada@example.org')).toBe(key);
    expect(await emailKey(vault, 's2', 'ada@example.org')).not.toBe(key);
    expect(await emailKey(new Vault(memoryKeyStore(), [randomBytes(32)]), 's1', 'ada@example.org')).not.toBe(key);
    expect(key).toMatch(/^[\w-]{43}$/);
  });
});
