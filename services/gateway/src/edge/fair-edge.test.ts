import { afterEach, describe, expect, test } from '@jest/globals';
import type { Handler } from '@lyceum/runtime';
import { addSchool, openHouse } from '../testing/house.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const spin = (milliseconds: number): void => {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
};

/** A service that takes five milliseconds of the processor for each request, as a page of rich text does. */
const working: Handler = async (_, response) => {
  await Promise.resolve();
  spin(5);
  response.end('done');
};

async function open(catalog: Handler, options: Parameters<typeof openHouse>[1] = {}) {
  const house = await openHouse({ catalog }, { factor: 1_000, ...options });
  closing.push(house.close);
  addSchool(house.hosts, { id: 'school_other', host: 'other.example', base_url: 'https://other.example' });
  const ask = (host = `127.0.0.1:${house.port}`) => house.ask('GET', '/api/courses', { Host: host });
  return ask;
}

describe('the edge of a process that works itself', () => {
  test('S10: a school with 100 requests at once holds up another one by a few of them', async () => {
    const ask = await open(working);
    const answered: string[] = [];
    const crowd = Array.from({ length: 100 }, async () => {
      const answer = await ask();
      answered.push('crowd');
      return answer.status;
    });
    while (answered.length < 10) await new Promise(setImmediate);
    const other = await ask('other.example');
    const before = answered.length;
    expect([other.status, other.text]).toEqual([200, 'done']);
    // Alone it waits for those that came before it, which is nearly all.
    expect(before).toBeLessThan(80);
    expect(new Set(await Promise.all(crowd))).toEqual(new Set([200]));
  });

  test('whoever waits too long is refused with Retry-After, and nobody of another school', async () => {
    const waiting: (() => void)[] = [];
    const ask = await open((_, response) => void waiting.push(() => response.end('done')), {
      turns: { places: 4, longest: 2, patience: 100 },
    });
    const crowd = Array.from({ length: 6 }, () => ask());
    const other = ask('other.example');
    while (waiting.length < 4) await new Promise(setImmediate);
    // One finds the line full, and two have waited for too long.
    const refused: string[] = [];
    for (const each of crowd) void each.then(({ headers }) => headers['retry-after'] === '1' && refused.push('crowd'));
    while (refused.length < 3) await new Promise(setImmediate);
    for (const end of waiting) end();
    expect((await other).status).toBe(200);
    const statuses = (await Promise.all(crowd)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 200, 200, 503, 503, 503]);
  });

  test('a service in another process is not held back here', async () => {
    let most = 0;
    const waiting: (() => void)[] = [];
    const catalog: Handler = (_, response) => {
      waiting.push(() => response.end('done'));
      most = Math.max(most, waiting.length);
    };
    const ask = await open(catalog, { turns: { places: 4, longest: 2 }, elsewhere: ['catalog'] });
    const crowd = Array.from({ length: 20 }, () => ask());
    while (waiting.length < 20) await new Promise(setImmediate);
    for (const end of waiting) end();
    for (const answer of crowd) expect((await answer).status).toBe(200);
  });
});
