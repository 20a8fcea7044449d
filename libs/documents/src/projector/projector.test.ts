import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type IncomingCommit, incomingFromCommit, incomingFromMessage } from './incoming.ts';
import { memoryDocuments } from '../memory/memory.ts';
import { CheckpointFenced, type Document, type Documents } from '../port.ts';
import type { Projection } from '../projection.ts';
import { ProjectionGap } from './fresh-commits.ts';
import { ProjectionFailed } from './lane-projector.ts';
import { projector } from './projector.ts';

/** Sums amounts per account; an account that falls to zero is gone. */
const balances: Projection = {
  collection: { name: 'balances', version: 1, fields: { total: 'number' } },
  key: (event) => (event.type === 'Moved' ? event.stream.slice('account-'.length) : undefined),
  project(event, before) {
    if (event.data === 'poison') throw new Error('cannot read this');
    if (event.data === 'text') return { total: 'ten' };
    const total = ((before?.['total'] as number | undefined) ?? 0) + (event.data as number);
    return total === 0 ? null : { total };
  },
};

const moved = (position: number, ...moves: readonly (readonly [account: string, amount: unknown])[]): IncomingCommit =>
  incomingFromCommit({
    position,
    tenant: 'school',
    at: '2026-01-05T08:00:00.000Z',
    events: moves.map(([account, data]) => ({
      stream: `account-${account}`,
      version: 1,
      type: 'Moved',
      schema: 1,
      data,
    })),
  });

async function started(projection = balances) {
  const documents = memoryDocuments();
  await documents.open(projection.collection);
  const applied: number[] = [];
  const run = projector({
    documents,
    projection,
    source: 'bank',
    onApplied: (_lane, position) => applied.push(position),
  });
  const total = async (account: string) => (await documents.get(projection.collection, 'school', account))?.['total'];
  return { documents, run, applied, total };
}

describe('projector', () => {
  test('a batch folds several events of one document and moves the checkpoint to its end', async () => {
    const { run, applied, total } = await started();
    await run.handle(3, [moved(1, ['a', 5], ['b', 1], ['a', 2]), moved(2, ['a', 3]), moved(3)]);
    expect([await total('a'), await total('b')]).toEqual([10, 1]);
    expect((await run.from(3)).position).toBe(3);
    expect(applied).toEqual([3]);
  });

  test('the next batch goes on from the stored documents, and null deletes', async () => {
    const { run, total } = await started();
    await run.handle(0, [moved(1, ['a', 5], ['b', 4])]);
    await run.handle(0, [moved(2, ['a', 1], ['b', -4])]);
    expect([await total('a'), await total('b')]).toEqual([6, undefined]);
    await run.handle(0, [moved(3, ['b', 2])]);
    expect(await total('b')).toBe(2);
  });

  test('a repeat, whole or overlapping, changes nothing twice', async () => {
    const { run, applied, total } = await started();
    const [one, two, three] = [moved(1, ['a', 1]), moved(2, ['a', 1]), moved(3, ['a', 1])];
    await run.handle(0, [one!, two!]);
    await run.handle(0, [one!, two!]);
    await run.handle(0, [two!, three!]);
    expect(await total('a')).toBe(3);
    expect(applied).toEqual([2, 3]);
  });

  test('a projection that throws is reported with stream and position, and nothing of the batch is applied', async () => {
    const { run, documents, total } = await started();
    const failing = run.handle(2, [moved(1, ['a', 1]), moved(2, ['b', 'poison']), moved(3, ['a', 1])]);
    await expect(failing).rejects.toThrow(ProjectionFailed);
    await expect(failing).rejects.toMatchObject({ stream: 'account-b', lane: 2, position: 2 });
    expect(await total('a')).toBeUndefined();
    expect(await documents.checkpoint(balances.collection, 'bank', 2)).toBe(0);
  });

  test('a body that contradicts the declared fields is reported with stream and position too', async () => {
    const { run } = await started();
    await expect(run.handle(0, [moved(1, ['a', 'text'])])).rejects.toMatchObject({ stream: 'account-a', position: 1 });
  });

  test('a batch that does not follow the checkpoint is refused, never skipped over', async () => {
    const { run } = await started();
    await run.handle(0, [moved(1, ['a', 1])]);
    await expect(run.handle(0, [moved(3, ['a', 1])])).rejects.toThrow(ProjectionGap);
    await expect(run.handle(0, [moved(2, ['a', 1]), moved(4, ['a', 1])])).rejects.toThrow(ProjectionGap);
    expect((await run.from(0)).position).toBe(1);
  });

  test('a projector that another one overtook reads the checkpoint again and applies only the rest', async () => {
    const { documents, run, total } = await started();
    await run.handle(0, [moved(1, ['a', 1])]);
    await projector({ documents, projection: balances, source: 'bank' }).handle(0, [moved(2, ['a', 10])]);
    await run.handle(0, [moved(2, ['a', 10]), moved(3, ['a', 100])]);
    expect(await total('a')).toBe(111);
    expect((await run.from(0)).position).toBe(3);
  });

  test('a lane that comes back from another process is where that one left it', async () => {
    const { run, documents, total } = await started();
    const other = projector({ documents, projection: balances, source: 'bank' });
    await run.handle(0, [moved(1, ['a', 1])]);
    await other.handle(0, [moved(2, ['a', 1]), moved(3, ['a', 1])]);
    expect([(await run.stored(0)).position, (await run.from(0)).position]).toEqual([3, 3]);
    await run.handle(0, [moved(4, ['a', 1])]);
    expect(await total('a')).toBe(4);
  });

  test('a projector that is overtaken again and again gives up for now instead of spinning', async () => {
    const { documents } = await started();
    let tries = 0;
    const contended: Documents = Object.assign(Object.create(documents) as Documents, {
      checkpointOf: async () => ({ position: 0 }),
      get: async () => undefined,
      query: documents.query.bind(documents),
      apply: async () => {
        tries += 1;
        throw new CheckpointFenced('balances@1', 'bank', 0, 0, 7);
      },
    });
    const run = projector({ documents: contended, projection: balances, source: 'bank' });
    await expect(run.handle(0, [moved(1, ['a', 1])])).rejects.toThrow(CheckpointFenced);
    expect(tries).toBe(5);
  });

  test('messages of a channel are chained by `previous`, so positions without facts are no gap', async () => {
    const { run, total } = await started();
    const message = (previous: number, position: number, data: number) =>
      incomingFromMessage({
        previous,
        position,
        tenant: 'school',
        at: '2026-01-05T08:00:00.000Z',
        facts: [{ subject: 'account-a', version: 1, type: 'Moved', schema: 1, data }],
      });
    await run.handle(0, [message(0, 4, 1), message(4, 9, 2)]);
    await expect(run.handle(0, [message(11, 12, 4)])).rejects.toThrow(ProjectionGap);
    expect([await total('a'), (await run.from(0)).position]).toEqual([3, 9]);
  });

  test('whatever the batches and repeats, the documents are the fold of the lane', async () => {
    const lane = fc.array(
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: -2, max: 2 })), { maxLength: 3 }),
      {
        minLength: 1,
        maxLength: 15,
      },
    );
    await fc.assert(
      fc.asyncProperty(lane, fc.array(fc.tuple(fc.nat(20), fc.nat(6)), { maxLength: 20 }), async (moves, slices) => {
        const { documents, run } = await started();
        const commits = moves.map((each, index) => moved(index + 1, ...each));
        for (const [start, length] of slices) {
          const from = Math.min(start, (await run.from(0)).position);
          await run.handle(0, commits.slice(from, from + length));
        }
        const done = (await run.from(0)).position;
        const { items } = await documents.query(balances.collection, 'school', { limit: 200 });
        expect(Object.fromEntries(items.map(({ id, body }) => [id, body['total']]))).toEqual(
          sums(moves.slice(0, done)),
        );
      }),
    );
  });

  test('an engine that fails is asked anew: the checkpoint it may have reached is not remembered', async () => {
    const { documents, total } = await started();
    let broken = true;
    const flaky: Documents = Object.assign(Object.create(documents) as Documents, {
      checkpointOf: documents.checkpointOf.bind(documents),
      get: documents.get.bind(documents),
      query: documents.query.bind(documents),
      apply: async (...args: Parameters<Documents['apply']>) => {
        await documents.apply(...args);
        if (broken) throw new Error('the connection broke after the write');
      },
    });
    const run = projector({ documents: flaky, projection: balances, source: 'bank' });
    await expect(run.handle(0, [moved(1, ['a', 1])])).rejects.toThrow('broke');
    broken = false;
    await run.handle(0, [moved(1, ['a', 1]), moved(2, ['a', 1])]);
    expect(await total('a')).toBe(2);
  });
});

function sums(moves: readonly (readonly (readonly [string, number])[])[]): Record<string, unknown> {
  const all = new Map<string, Document>();
  for (const [account, amount] of moves.flat()) {
    const total = ((all.get(account)?.['total'] as number | undefined) ?? 0) + amount;
    if (total === 0) all.delete(account);
    else all.set(account, { total });
  }
  return Object.fromEntries([...all].map(([account, { total }]) => [account, total]));
}
