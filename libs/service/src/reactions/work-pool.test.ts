import { describe, expect, test } from '@jest/globals';
import { setTimeout as tick } from 'node:timers/promises';
import { WorkPool } from './work-pool.ts';

/** Work that lasts until it is ended, or a moment. */
function bench(limits: ConstructorParameters<typeof WorkPool>[0]) {
  const pool = new WorkPool(limits);
  const began: string[] = [];
  const inHand = new Map<string, () => void>();
  const add = (tenant: string, key: string, name: string, pauses: number[] = []) =>
    pool.add({
      tenant,
      key,
      async run() {
        began.push(name);
        await new Promise<void>((resolve) => inHand.set(name, resolve));
        return pauses.shift();
      },
    });
  const end = async (name: string) => {
    inHand.get(name)!();
    inHand.delete(name);
    await tick(0);
  };
  return { pool, began, inHand, add, end };
}

describe('a pool', () => {
  test('does so much at a time of one tenant, and so much in all', async () => {
    const { began, inHand, add, end } = bench({ inAll: 3, perTenant: 2 });
    for (let n = 0; n < 5; n += 1) add('a', `k${n}`, `a${n}`);
    expect(began).toEqual(['a0', 'a1']);
    for (let n = 0; n < 2; n += 1) add('b', `k${n}`, `b${n}`);
    expect(began).toEqual(['a0', 'a1', 'b0']);
    await end('a0');
    expect([...inHand.keys()]).toHaveLength(3);
    expect(began.slice(3)).toEqual(['b1']);
  });

  test('gives tenants turns, whoever came first and with however much', async () => {
    const { began, add, end } = bench({ inAll: 1, perTenant: 1 });
    for (let n = 0; n < 1_000; n += 1) add('a', `k${n}`, `a${n}`);
    add('b', 'k', 'b0');
    add('c', 'k', 'c0');
    for (const name of ['a0', 'b0', 'c0', 'a1']) await end(name);
    expect(began).toEqual(['a0', 'b0', 'c0', 'a1', 'a2']);
  });

  test('keeps the order of a key, and waits with it alone before another try', async () => {
    const { pool, began, add, end } = bench({ inAll: 9, perTenant: 9 });
    add('a', 'k', 'first', [60_000]);
    add('a', 'k', 'second');
    add('a', 'other', 'other');
    expect(began).toEqual(['first', 'other']);
    await end('first');
    expect(began).toEqual(['first', 'other']);
    pool.hurry('a', 'k');
    expect(began).toEqual(['first', 'other', 'first']);
    await end('first');
    expect(began.at(-1)).toBe('second');
    expect(pool.size).toBe(2);
  });

  test('lets those wait who bring more than it holds, and no longer than until it is closed', async () => {
    const { pool, add, end } = bench({ inAll: 1, perTenant: 1, waiting: 2 });
    let rooms = 0;
    const wait = () => pool.room().then(() => void (rooms += 1));
    add('a', '1', 'one');
    await wait();
    add('a', '2', 'two');
    const waiting = [wait(), wait()];
    await tick(0);
    expect(rooms).toBe(1);
    await end('one');
    expect(rooms).toBe(3);
    add('a', '3', 'three');
    waiting.push(wait());
    const closed = pool.close();
    await Promise.all(waiting);
    await end('two');
    await closed;
    expect(pool.size).toBe(1);
  });
});
