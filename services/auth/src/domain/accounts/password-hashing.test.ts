import { describe, expect, test } from '@jest/globals';
import type { Problem } from '@lyceum/web';
import { ConcurrencyLimit } from '../concurrency-limit.ts';
import { isAffordable, passwordsOf, standardCost } from './password-hashing.ts';

describe('passwords', () => {
  test('are hashed with argon2id, 19 MiB, 2 passes, 1 thread, and a salt of their own', async () => {
    const passwords = passwordsOf(1);
    const [one, two] = [await passwords.hash('secret'), await passwords.hash('secret')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(standardCost.memoryCost).toBe(19 * 1024);
  });

  test('fit or do not fit; without an account nothing fits', async () => {
    const passwords = passwordsOf(1, 8, { memoryCost: 64, timeCost: 1, parallelism: 1 });
    const hash = await passwords.hash('secret');
    expect(await passwords.verify(hash, 'secret')).toBe(true);
    expect(await passwords.verify(hash, 'Secret')).toBe(false);
    expect(await passwords.verify(undefined, 'nobody has this password')).toBe(false);
  });

  test('fit however the letters were composed', async () => {
    const passwords = passwordsOf(1, 8, { memoryCost: 64, timeCost: 1, parallelism: 1 });
    expect(await passwords.verify(await passwords.hash('p\u00e4ssword'), 'pa\u0308ssword')).toBe(true);
  });

  test('a check without an account computes a hash too: it takes a place in the queue', async () => {
    const passwords = passwordsOf(1, 0, { memoryCost: 64, timeCost: 1, parallelism: 1 });
    await passwords.verify(undefined, 'warm up');
    const busy = passwords.verify(undefined, 'guess');
    await new Promise((turn) => setImmediate(turn));
    await expect(passwords.verify(undefined, 'guess')).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    expect(await busy).toBe(false);
  });

  test.each([
    ['memory', '$argon2id$v=19$m=4194304,t=1,p=1$'],
    ['passes', '$argon2id$v=19$m=19456,t=100000,p=1$'],
    ['threads', '$argon2id$v=19$m=19456,t=2,p=200$'],
    ['another algorithm', '$argon2d$v=19$m=64,t=1,p=1$'],
    ['no parameters', '$argon2id$'],
  ])(
    'S1: a hash that a school brings and that asks for more %s than ours fits nothing, at the usual cost',
    async (_, head) => {
      const passwords = passwordsOf(1, 8, { memoryCost: 64, timeCost: 1, parallelism: 1 });
      const began = performance.now();
      expect(await passwords.verify(`${head}c29tZXNhbHRzb21lc2FsdA$${'A'.repeat(43)}`, 'secret')).toBe(false);
      expect(performance.now() - began).toBeLessThan(1_000);
      expect(isAffordable(head)).toBe(false);
    },
  );

  test('hashes of twice our cost, as a later release may write them, still fit', async () => {
    const later = passwordsOf(1, 8, { ...standardCost, timeCost: 4 });
    const hash = await later.hash('secret');
    expect(await passwordsOf(1).verify(hash, 'secret')).toBe(true);
  });

  test('too many at once are 503 with Retry-After', async () => {
    const passwords = passwordsOf(1, 1, { memoryCost: 64, timeCost: 1, parallelism: 1 });
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => passwords.hash('secret')));
    const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as Problem] : []));
    expect(refused).toHaveLength(2);
    expect(refused[0]).toMatchObject({ status: 503, code: 'temporarily_unavailable', headers: { 'Retry-After': '2' } });
  });
});

describe('a turnstile', () => {
  test('S4: schools take turns, however many wait for one of them, and only that one is refused', async () => {
    const turnstile = new ConcurrencyLimit(1, 10);
    const order: string[] = [];
    const full = () => 'full';
    const pass = (school: string) =>
      turnstile.pass(
        async () => {
          await new Promise((turn) => setImmediate(turn));
          order.push(school);
          return 'done';
        },
        full,
        school,
      );
    const many = Array.from({ length: 20 }, () => pass('hostile'));
    const honest = await Promise.all([pass('other'), pass('other'), pass('third')]);
    expect(honest).toEqual(['done', 'done', 'done']);
    expect(order.slice(0, 5).sort()).toEqual(['hostile', 'hostile', 'other', 'other', 'third']);
    expect((await Promise.all(many)).filter((each) => each === 'full')).toHaveLength(9);
  });

  test('S4: a school waits for the job that runs, not for another one of a school that many wait for', async () => {
    const turnstile = new ConcurrencyLimit(1, 10);
    const order: string[] = [];
    const pass = (school: string) =>
      turnstile.pass(
        async () => {
          await new Promise((turn) => setImmediate(turn));
          order.push(school);
        },
        () => undefined,
        school,
      );
    const many = Array.from({ length: 6 }, () => pass('hostile'));
    await Promise.all([pass('other'), ...many]);
    expect(order.slice(0, 2)).toEqual(['hostile', 'other']);
  });

  test('never lets more through at once than it has places, keeps the order and survives failures', async () => {
    const turnstile = new ConcurrencyLimit(2, 100);
    let running = 0;
    let most = 0;
    const order: number[] = [];
    const job = (at: number) => async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((done) => setTimeout(done, 1));
      order.push(at);
      running -= 1;
      if (at % 3 === 0) throw new Error('failed');
      return at;
    };
    const full = () => -1;
    await Promise.allSettled(Array.from({ length: 20 }, (_, at) => turnstile.pass(job(at), full)));
    expect(most).toBe(2);
    expect(order).toEqual(Array.from({ length: 20 }, (_, at) => at));
    expect(await turnstile.pass(job(1), full)).toBe(1);
  });
});
