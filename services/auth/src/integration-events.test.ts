import { describe, expect, test } from '@jest/globals';
import { authFacts } from '@lyceum/contracts';
import type { RecordedEvent } from '@lyceum/kernel';
import { integrationEventOf } from './integration-events.ts';

const grant = 'grant-0198f3a2-7c1b-7000-8000-000000000001';
const event = (stream: string, type: string, data: unknown): RecordedEvent => ({
  id: 'e',
  stream,
  version: 1,
  schema: 1,
  type,
  data,
});

describe('what other services learn of this one', () => {
  test('a key without its private half', () => {
    const data = { kid: 'k', alg: 'ES256', public_jwk: { kty: 'EC' }, sealed: 'secret' };
    const fact = integrationEventOf(event('keys', 'SigningKeyAdded', data));
    expect(fact).toEqual({ type: 'SigningKeyPublished', data: { kid: 'k', alg: 'ES256', public_jwk: { kty: 'EC' } } });
    const retired = integrationEventOf(event('keys', 'SigningKeyRetired', { kid: 'k' }));
    expect(retired).toEqual({ type: 'SigningKeyRetired', data: { kid: 'k' } });
  });

  test('what is revoked, under the name that tokens carry', () => {
    const until = '2026-01-05T08:11:00.000Z';
    const ended = integrationEventOf(event(grant, 'GrantRevoked', { reason: 'code_replayed', until }));
    expect(ended).toEqual({ type: 'GrantRevoked', data: { grant: grant.replace('grant-', 'grant_'), until } });
    expect(() => authFacts.GrantRevoked.data.parse(ended!.data)).not.toThrow();
    const token = integrationEventOf(event(grant, 'TokenRevoked', { jti: 'j', until }));
    expect(token).toEqual({ type: 'TokenRevoked', data: { jti: 'j', until } });
  });

  test('that a person is signed out everywhere, and nothing else of an account', () => {
    const account = 'account-0198f3a2-7c1b-7000-8000-000000000001';
    const data = { tokens_not_before: '2026-01-05T08:00:00.500Z' };
    const fact = integrationEventOf(event(account, 'SessionsEnded', data));
    expect(fact).toEqual({
      type: 'SessionsEnded',
      data: { account_id: account.replace('account-', 'account_'), ...data },
    });
    expect(() => authFacts.SessionsEnded.data.parse(fact!.data)).not.toThrow();
    expect(integrationEventOf(event(account, 'PasswordChanged', { password_hash: 'h' }))).toBeUndefined();
  });

  test('that a client is disabled, deleted or enabled again', () => {
    const client = 'client_0198f3a2-7c1b-7000-8000-000000000001';
    const data = { tokens_not_before: '2026-01-05T08:00:01.000Z' };
    for (const type of ['ClientDisabled', 'ClientDeleted'])
      expect(integrationEventOf(event('client-0198f3a2-7c1b-7000-8000-000000000001', type, data))).toEqual({
        type: 'ClientDisabled',
        data: { client, ...data },
      });
    const enabled = integrationEventOf(event('client-0198f3a2-7c1b-7000-8000-000000000001', 'ClientEnabled', {}));
    expect(enabled).toEqual({ type: 'ClientEnabled', data: { client } });
  });

  test('that an account is there, or is described otherwise, and not whose it is', () => {
    const account = 'account-0198f3a2-7c1b-7000-8000-000000000001';
    const account_id = account.replace('account-', 'account_');
    const opened = { email: 'ada@example.org', email_key: 'k', name: 'Ada', password_hash: 'h' };
    expect(integrationEventOf(event(account, 'AccountOpened', opened))).toEqual({
      type: 'AccountOpened',
      data: { account_id },
    });
    for (const type of ['ProfileChanged', 'EmailChanged'])
      expect(integrationEventOf(event(account, type, { name: 'Ada' }))).toEqual({
        type: 'AccountChanged',
        data: { account_id },
      });
  });

  test.each([
    event(grant, 'GrantIssued', {}),
    event(grant, 'CodeReplayed', {}),
    event('account-1', 'PasswordChanged', { password_hash: 'h' }),
    event('client-1', 'ClientRegistered', {}),
    event('session-x', 'SessionStarted', {}),
    event('unique/account_email/x', 'Claimed', { by: 'account-1' }),
  ])('nothing else: $type', (each) => expect(integrationEventOf(each)).toBeUndefined());
});
