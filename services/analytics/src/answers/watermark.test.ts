import { expect, test } from '@jest/globals';
import { memoryDocuments } from '@lyceum/documents';
import type { ModulePorts } from '@lyceum/service';
import { markId } from '../figures/figures-over.ts';
import { sales } from '../sales/sale.rows.ts';
import { watermarkOf } from './watermark.ts';

type After = NonNullable<ReturnType<NonNullable<ModulePorts['history']>>>['after'];

const [last, next, now] = ['2026-03-01T08:00:00.000Z', '2026-03-01T09:00:00.000Z', '2026-03-02T08:00:00.000Z'];

/** What is said when the owner answers so about what it published after the last fact. */
async function markedBy(after: After | undefined, position?: number) {
  const documents = memoryDocuments();
  await documents.open(sales);
  if (position !== undefined)
    await documents.apply(sales, 'commerce', 0, 0, position, [
      { tenant: 'school_1', id: markId, body: { position, at: last } },
    ]);
  const history = after && (() => ({ after }) as unknown as ReturnType<NonNullable<ModulePorts['history']>>);
  const ports = {
    documents,
    logger: { warn: () => undefined } as unknown as ModulePorts['logger'],
    ...(history ? { history } : {}),
  };
  return watermarkOf(ports, { source: 'commerce', collection: sales }, 'school_1', now);
}

const nothing = { published: [], reached: 9, more: false };
const published = [{ position: 8, at: next, facts: [] }];

test('figures go up to the question when nothing is missing, otherwise up to the first fact that is', async () => {
  const asked: (readonly [string, number])[] = [];
  const complete: After = async (school, position) => {
    asked.push([school, position]);
    return nothing;
  };
  expect(await markedBy(complete, 7)).toBe(now);
  expect(await markedBy(complete)).toBe(now);
  expect(asked).toEqual([
    ['school_1', 7],
    ['school_1', 0],
  ]);
  expect(await markedBy(async () => ({ ...nothing, published }), 7)).toBe(next);
});

test('they go up to the last fact that has arrived where the owner is not asked, does not answer, or has not looked at all', async () => {
  expect(await markedBy(undefined, 7)).toBe(last);
  expect(await markedBy(undefined)).toBeNull();
  expect(await markedBy(async () => Promise.reject(new Error('away')), 7)).toBe(last);
  expect(await markedBy(async () => ({ ...nothing, more: true }), 7)).toBe(last);
});
