import { describe, expect, test } from '@jest/globals';
import { StartRefused } from '@lyceum/service';
import { commerceSettings, offeredProviders } from './commerce-settings.ts';

const offered = (NODE_ENV: string, env: object) => offeredProviders({ NODE_ENV, ...commerceSettings.parse(env) });

describe('who takes payments', () => {
  test.each([
    ['development', {}, ['test']],
    ['test', {}, ['test']],
    ['production', {}, []],
    ['test', { PAYMENT_PROVIDERS: 'manual' }, ['manual']],
    [
      'production',
      { PAYMENT_PROVIDERS: 'stripe, manual', MANUAL_PAYMENT_INSTRUCTIONS: 'To account 1' },
      ['stripe', 'manual'],
    ],
  ])('in %s with %j: %j', (mode, env, expected) => expect(offered(mode, env)).toEqual(expected));

  test('is never the one that moves no money, in production', () =>
    expect(() => offered('production', { PAYMENT_PROVIDERS: 'manual,test' })).toThrow(StartRefused));

  test('is nobody by transfers in production of whom people do not know where to pay', () =>
    expect(() => offered('production', { PAYMENT_PROVIDERS: 'manual' })).toThrow(StartRefused));

  test.each(['0', '61', '1.5', '-1', ''])('does not wait %j days for a transfer', (MANUAL_PAYMENT_DAYS) =>
    expect(commerceSettings.safeParse({ MANUAL_PAYMENT_DAYS }).success).toBe(false),
  );

  test('is not somebody unknown', () =>
    expect(commerceSettings.safeParse({ PAYMENT_PROVIDERS: 'barter' }).success).toBe(false));
});
