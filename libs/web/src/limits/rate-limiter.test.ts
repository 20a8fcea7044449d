import { describe, expect, test } from '@jest/globals';
import { type Ephemeral, EphemeralFull, EphemeralUnavailable, memoryEphemeral } from '@lyceum/ephemeral';
import { FakeClock } from '@lyceum/testkit';
import type { Problem } from '../replies/problem.ts';
import { rateLimitHeaders, refuseBeyond } from './admission.ts';
import { perMinute } from './policy.ts';
import { RateLimiter } from './rate-limiter.ts';

const policy = perMinute('token', 3);

function limiter({ factor = 1, take }: { factor?: number; take?: Ephemeral['take'] } = {}) {
  const clock = new FakeClock();
  const lines: object[] = [];
  const logger = { info: () => {}, error: (line: object) => void lines.push(line) };
  const ephemeral = take ? { take } : memoryEphemeral(clock);
  return { limits: new RateLimiter({ ephemeral, clock, logger }, factor), clock, lines };
}

describe('a rate limiter', () => {
  test('admits the quota at once, refuses beyond it, and admits one more each part of the window', async () => {
    const { limits, clock } = limiter();
    const admit = async () => {
      const admission = await limits.admit(policy, 'school_1', 'client');
      return `${admission.outcome} ${rateLimitHeaders([admission])['RateLimit']}`;
    };
    expect(await admit()).toBe('admitted "token";r=2;t=20');
    clock.advance(1_500);
    expect(await admit()).toBe('admitted "token";r=1;t=19');
    expect(await admit()).toBe('admitted "token";r=0;t=19');
    expect(await admit()).toBe('refused "token";r=0;t=19');
    clock.advance(18_500);
    expect(await admit()).toBe('admitted "token";r=0;t=20');
    clock.advance(60_000);
    expect(await admit()).toBe('admitted "token";r=2;t=20');
  });

  test('counts each policy, school and partition by itself, and mixes up no parts of one', async () => {
    const { limits } = limiter();
    const one = perMinute('one', 1);
    const asked: [policy: typeof one, school: string, ...partition: string[]][] = [
      [one, 'school_1', 'a', 'b'],
      [one, 'school_1', 'a","b'],
      [one, 'school_1', 'a b'],
      [one, 'school_2', 'a', 'b'],
      [perMinute('two', 1), 'school_1', 'a', 'b'],
    ];
    for (const each of asked) expect((await limits.admit(...each)).outcome).toBe('admitted');
    for (const each of asked) expect((await limits.admit(...each)).outcome).toBe('refused');
  });

  test.each([
    [20, 60],
    [1, 3],
    [0.5, 2],
    [0.001, 1],
  ])('with the factor %p has a quota of %p', async (factor, quota) => {
    const { limits } = limiter({ factor });
    expect((await limits.admit(policy, 'school_1', 'client')).policy.quota).toBe(quota);
  });

  test.each([new EphemeralUnavailable('away'), new EphemeralFull('full')])(
    'lets everyone through when the store fails with %p, and logs that once in ten seconds',
    async (failure) => {
      const { limits, clock, lines } = limiter({ take: () => Promise.reject(failure) });
      for (let asked = 0; asked < 10; asked += 1) {
        const admission = await limits.admit(policy, 'school_1', 'client');
        expect(admission.outcome).toBe('unknown');
        expect(() => refuseBeyond(admission)).not.toThrow();
        expect(rateLimitHeaders([admission])).toEqual({ 'RateLimit-Policy': '"token";q=3;w=60' });
      }
      expect(lines).toEqual([{ err: failure }]);
      clock.advance(10_000);
      await limits.admit(policy, 'school_1', 'client');
      expect(lines).toHaveLength(2);
    },
  );

  test('does not hide other failures', async () => {
    const { limits } = limiter({ take: () => Promise.reject(new TypeError('the key is not a quota')) });
    await expect(limits.admit(policy, 'school_1', 'client')).rejects.toThrow(TypeError);
  });
});

describe('an admission', () => {
  test('RFC 6585 §4: a refused one is 429 rate_limited with Retry-After, not before the end of the window told', () => {
    const refused = { outcome: 'refused', policy, left: 0, wait: 7 } as const;
    expect(() => refuseBeyond(refused)).toThrow('policy token');
    const problem = thrown(() => refuseBeyond(refused));
    expect(problem).toMatchObject({ status: 429, code: 'rate_limited', headers: { 'Retry-After': '7' } });
    expect(rateLimitHeaders([refused])['RateLimit']).toBe('"token";r=0;t=7');
  });

  test('draft-ietf-httpapi-ratelimit-headers §3, §4: several are lists; none are no headers', () => {
    const admitted = { outcome: 'admitted', policy, left: 2, wait: 20 } as const;
    const other = { outcome: 'admitted', policy: { name: 'daily', quota: 1000, window: 86_400 }, left: 1, wait: 9 };
    expect(rateLimitHeaders([admitted, other as typeof admitted])).toEqual({
      'RateLimit-Policy': '"token";q=3;w=60, "daily";q=1000;w=86400',
      RateLimit: '"token";r=2;t=20, "daily";r=1;t=9',
    });
    expect(rateLimitHeaders([])).toEqual({});
  });
});

function thrown(work: () => void): Problem | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error as Problem;
  }
}
