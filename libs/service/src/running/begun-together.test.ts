import { beforeEach, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { begunInTurn, begunTogether } from './begun-together.ts';

let closed: string[] = [];
beforeEach(() => void (closed = []));

async function begin(name: string, after: number) {
  await delay(after);
  return { name, close: async () => void closed.push(name) };
}

test('all that begins is given in its order', async () => {
  const begun = await begunTogether([begin('slow', 5), begin('fast', 0)]);
  expect(begun.map(({ name }) => name)).toEqual(['slow', 'fast']);
  expect(closed).toEqual([]);
});

test('one that fails leaves none behind, not even one that begins later', async () => {
  const away = Promise.reject(new Error('the documents are away'));
  await expect(begunTogether([begin('before', 0), away, begin('after', 10)])).rejects.toThrow('the documents are away');
  expect(closed).toEqual(['before', 'after']);
});

test('what was begun before one that cannot begin is closed, the last one first', async () => {
  const beginning = begunInTurn(async (keep) => {
    keep(await begin('first', 0));
    keep({ close: async () => Promise.reject(new Error('it is closed already')) });
    keep(await begin('second', 0));
    throw new Error('the documents are away');
  });
  await expect(beginning).rejects.toThrow('the documents are away');
  expect(closed).toEqual(['second', 'first']);
  expect(await begunInTurn(async (keep) => keep(await begin('alone', 0)).name)).toBe('alone');
  expect(closed).toEqual(['second', 'first']);
});
