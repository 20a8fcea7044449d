import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { ConsentEvent } from './consent.events.ts';
import { consentDecider, covers } from './consent.ts';

const t0 = 1_767_600_000;
const days = (count: number) => count * 86_400;
const parties = { client: 'client_1', account: 'account_1' };
const remember = (scopes: string[], resource: string[] = [], now = t0) =>
  ({ type: 'RememberConsent', ...parties, scopes, resource, now }) as const;
const remembered = (scopes: string[], resource: string[] = [], now = t0): ConsentEvent => ({
  type: 'ConsentRemembered',
  data: { ...parties, scopes, resource, until: now + days(90) },
});

describe('a consent', () => {
  test('is remembered for 90 days from the last time', () => {
    given(consentDecider)
      .when(remember(['openid']))
      .then(remembered(['openid']));
    given(consentDecider, remembered(['openid']))
      .when(remember(['openid'], [], t0 + 5))
      .then(remembered(['openid'], [], t0 + 5));
  });

  test('grows with what is agreed to later, for the same resource', () => {
    const before = given(consentDecider, remembered(['openid'], ['https://a/']));
    before
      .when(remember(['courses:read'], ['https://a/']))
      .then(remembered(['openid', 'courses:read'], ['https://a/']));
    before.when(remember(['courses:read'], ['https://b/'])).then(remembered(['courses:read'], ['https://b/']));
    before
      .when(remember(['courses:read'], ['https://a/'], t0 + days(90)))
      .then(remembered(['courses:read'], ['https://a/'], t0 + days(90)));
  });

  test('is withdrawn once', () => {
    const withdrawn: ConsentEvent = { type: 'ConsentWithdrawn', data: {} };
    given(consentDecider, remembered(['openid']))
      .when({ type: 'WithdrawConsent' })
      .then(withdrawn);
    given(consentDecider, remembered(['openid']), withdrawn)
      .when({ type: 'WithdrawConsent' })
      .unchanged();
  });

  test.each<[boolean, string, string[], string[], number]>([
    [true, 'the same', ['openid', 'courses:read'], ['https://a/'], 0],
    [true, 'less', ['openid'], ['https://a/'], days(90) - 1],
    [false, 'another scope', ['openid', 'orders:read'], ['https://a/'], 0],
    [false, 'another resource', ['openid'], ['https://a/', 'https://b/'], 0],
    [false, 'any resource', ['openid'], [], 0],
    [false, 'the same after 90 days', ['openid'], ['https://a/'], days(90)],
  ])('answers %s for %s', (expected, _, scopes, resource, later) => {
    const { state } = given(consentDecider, remembered(['openid', 'courses:read'], ['https://a/']));
    expect(covers(state, { scopes, resource }, t0 + later)).toBe(expected);
  });

  test('that is remembered for no resource covers none', () => {
    const { state } = given(consentDecider, remembered(['openid']));
    expect(covers(state, { scopes: ['openid'], resource: [] }, t0)).toBe(true);
    expect(covers(state, { scopes: ['openid'], resource: ['https://a/'] }, t0)).toBe(false);
    expect(covers(undefined, { scopes: [], resource: [] }, t0)).toBe(false);
  });
});
