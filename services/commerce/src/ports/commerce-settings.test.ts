import { describe, expect, test } from '@jest/globals';
import { StartRefused } from '@lyceum/service';
import { commerceSettings, offeredProviders } from './commerce-settings.ts';

const offered = (NODE_ENV: string, env: object) => offeredProviders({ NODE_ENV, ...commerceSettings.parse(env) });

describe('who takes payments', () => {
  test.each([
    ['development', {}, ['test']],
    ['test', {}, ['test']],
    ['production', {}, []],
    ['production', { PAYMENT_PROVIDERS: 'stripe, manual' }, ['stripe', 'manual']],
  ])('in %s with %j: %j', (mode, env, expected) => expect(offered(mode, env)).toEqual(expected));

  test('is never the one that moves no money, in production', () =>
    expect(() => offered('production', { PAYMENT_PROVIDERS: 'manual,test' })).toThrow(StartRefused));

  test('is not somebody unknown', () =>
    expect(commerceSettings.safeParse({ PAYMENT_PROVIDERS: 'barter' }).success).toBe(false));
});
