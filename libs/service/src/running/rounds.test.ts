import { expect, test } from '@jest/globals';
import { memoryDocuments } from '@lyceum/documents';
import { forEachTenant, inRounds } from './rounds.ts';

const collection = { name: 'things', version: 1, fields: {} };

test('rounds follow each other, a failure is told and does not end them, and closing waits for the last', async () => {
  const failed: unknown[] = [];
  let [rounds, ended] = [0, 0];
  let reached!: () => void;
  const third = new Promise<void>((resolve) => (reached = resolve));
  const work = inRounds(
    async (signal) => {
      rounds += 1;
      if (rounds === 1) throw new Error('first');
      if (rounds < 3) return;
      reached();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      ended = rounds;
    },
    { first: 0, every: 1, onError: (error) => failed.push(error) },
  );
  await third;
  await work.close();
  expect([failed, rounds, ended]).toEqual([[new Error('first')], 3, 3]);
});

test('a first round that is still to come does not come after closing', async () => {
  let rounds = 0;
  const work = inRounds(async () => (rounds += 1), { first: 60_000, every: 1, onError: () => undefined });
  await work.close();
  expect(rounds).toBe(0);
});

test('each tenant with a document has its turn, also after one that failed, until the work ends', async () => {
  const documents = memoryDocuments();
  await documents.open(collection);
  const writes = ['c', 'a', 'b'].map((tenant) => ({ tenant, id: 'x', body: {} }));
  await documents.apply(collection, 'log', 0, 0, 1, writes);
  const [turns, failed]: [string[], string[]] = [[], []];
  const closing = new AbortController();
  const tenants = {
    documents,
    collection,
    signal: closing.signal,
    onError: (_: unknown, tenant: string) => failed.push(tenant),
  };
  await forEachTenant(tenants, async (tenant) => {
    turns.push(tenant);
    if (tenant === 'a') throw new Error('no');
    if (tenant === 'b') closing.abort();
  });
  expect([turns, failed]).toEqual([['a', 'b'], ['a']]);
  await documents.close();
});
