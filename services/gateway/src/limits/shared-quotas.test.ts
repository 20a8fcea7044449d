import { expect, test } from '@jest/globals';
import { systemClock } from '@lyceum/kernel';
import { stat } from 'node:fs/promises';
import { SharedQuotas } from './shared-quotas.ts';

const told = { taken: 1, left: 9, wait: 100 };

function sharedQuotas(takeMany: () => Promise<typeof told>) {
  const lines: string[] = [];
  const write = (_: object, text: string) => void lines.push(text);
  const logger = { info: write, error: write };
  return { quotas: new SharedQuotas({ ephemeral: { takeMany }, clock: systemClock, logger, patience: 10 }), lines };
}

test('an answer that came in time is heard, though this process was busy for longer than anybody waits', async () => {
  const { quotas, lines } = sharedQuotas(() => stat('.').then(() => told));
  const taking = quotas.take('school_1 a', 1, 10, 60_000);
  for (const end = performance.now() + 50; performance.now() < end;);
  expect(await taking).toEqual(told);
  expect(lines).toEqual([]);
});

test('a store that does not answer is away', async () => {
  const { quotas, lines } = sharedQuotas(() => new Promise(() => undefined));
  expect(await quotas.take('school_1 a', 1, 10, 60_000)).toBeUndefined();
  expect([quotas.isAway, lines.length]).toEqual([true, 1]);
});
