import { describe, expect, test } from '@jest/globals';
import type { Decider, DomainEvent } from '@lyceum/kernel';
import { randomUUID } from 'node:crypto';
import { ConcurrencyConflict, IdempotencyMismatch } from '../errors.ts';
import { claimant } from '../claims.ts';
import { execute } from '../execute.ts';
import { forwarding } from '../forwarding.ts';
import { fold } from '../folding/fold.ts';
import { withStates } from '../folding/with-states.ts';
import { memoryEventLog } from '../memory/memory.ts';
import type { EventLog } from '../port.ts';
import { sampleAppend } from '../testing/sample.ts';
import { inOneWrite, stagedLog } from './staged-log.ts';

type Counted = DomainEvent<'Counted', { readonly by: number }>;

/** Counts, and takes the name of what it has come to. */
const counter: Decider<number, { readonly by: number }, Counted, 'taken'> = {
  events: { Counted: { version: 1, data: { parse: (data) => data } } },
  initial: 0,
  decide: ({ by }) => [{ type: 'Counted', data: { by } }],
  evolve: (state, { data }) => state + data.by,
  claims: ({ data }) => (data.by > 100 ? [{ kind: 'large', value: 'one', rejected: 'taken' }] : []),
};

const tenant = 'school_a';
const at = '2026-01-05T08:00:00.000Z';
const count = (log: EventLog, stream: string, by: number, more: object = {}) =>
  execute(log, counter, { tenant, stream, command: { by }, at, meta: { actor: 'x' }, commitId: randomUUID(), ...more });
const valueOf = async (log: EventLog, stream: string) => (await fold(log, counter, tenant, stream)).state;
const commitsOf = (log: EventLog) => log.readLane(log.laneOf(tenant), 0, 100);

describe('a staged log', () => {
  test('decides on what it keeps, and writes it in order, each commit with its own time', async () => {
    const log = withStates(memoryEventLog());
    await count(log, 'count-1', 1);
    const staged = stagedLog(log);
    await count(staged.log, 'count-1', 2);
    await count(staged.log, 'count-1', 3, { at: '2026-02-01T00:00:00.000Z' });
    await count(staged.log, 'count-2', 4);
    expect(await valueOf(staged.log, 'count-1')).toBe(6);
    expect(await valueOf(log, 'count-1')).toBe(1);
    await staged.write();
    expect([await valueOf(log, 'count-1'), await valueOf(log, 'count-2')]).toEqual([6, 4]);
    expect((await commitsOf(log)).map((commit) => [commit.at, commit.streams])).toEqual([
      [at, [{ id: 'count-1', before: 0, after: 1 }]],
      [at, [{ id: 'count-1', before: 1, after: 2 }]],
      ['2026-02-01T00:00:00.000Z', [{ id: 'count-1', before: 2, after: 3 }]],
      [at, [{ id: 'count-2', before: 0, after: 1 }]],
    ]);
    await count(staged.log, 'count-1', 5);
    expect(await valueOf(staged.log, 'count-1')).toBe(11);
  });

  test('keeps the same commits that it writes', async () => {
    const log = memoryEventLog();
    const staged = stagedLog(log);
    const kept = [];
    for (const by of [1, 200, 3]) {
      const commitId = randomUUID();
      await count(staged.log, `count-${by}`, by, { commitId });
      kept.push(await staged.log.find(tenant, commitId));
    }
    await staged.write();
    const told = (commits: readonly unknown[]) => JSON.parse(JSON.stringify(commits)) as unknown;
    expect(told(await commitsOf(log))).toEqual(told(kept));
  });

  test('hands all of it on in one turn of the event loop', async () => {
    const turns: number[] = [];
    let turn = 0;
    const memory = memoryEventLog();
    const log = forwarding(memory, {
      append(append) {
        turns.push(turn);
        return memory.append(append);
      },
    });
    const staged = stagedLog(log);
    for (let by = 1; by <= 5; by += 1) await count(staged.log, 'count-1', by);
    expect(turns).toEqual([]);
    const ticking = setInterval(() => (turn += 1), 0);
    await staged.write();
    clearInterval(ticking);
    expect(turns).toEqual([turns[0], turns[0], turns[0], turns[0], turns[0]]);
  });

  test('sees claims that it keeps', async () => {
    const log = memoryEventLog();
    const staged = stagedLog(log);
    await count(staged.log, 'count-1', 200);
    expect(await claimant(staged.log, tenant, 'large', 'one')).toBe('count-1');
    expect(await count(staged.log, 'count-2', 300)).toMatchObject({ rejected: 'taken' });
  });

  test('answers a repeat with the commit that it keeps, and refuses another request under its id', async () => {
    const staged = stagedLog(memoryEventLog());
    const append = sampleAppend();
    const first = await staged.log.append(append);
    expect(await staged.log.append(append)).toEqual({ commit: first.commit, replayed: true });
    await expect(staged.log.append({ ...append, fingerprint: 'another' })).rejects.toThrow(IdempotencyMismatch);
    await expect(staged.log.append(sampleAppend({ expectations: [{ stream: 'note-1', version: 0 }] }))).rejects.toThrow(
      ConcurrencyConflict,
    );
  });

  test('writes nothing of what follows from a commit that somebody else came before', async () => {
    const log = memoryEventLog();
    const staged = stagedLog(log);
    const limited = { command: { by: 1 }, expectedVersions: [{ stream: 'limit', version: 0 }] };
    await count(staged.log, 'order-1', 0, { command: () => Promise.resolve(limited) });
    await count(staged.log, 'order-1', 2);
    await count(staged.log, 'count-1', 3);
    await count(log, 'limit', 10);
    await expect(staged.write()).rejects.toThrow(ConcurrencyConflict);
    expect(await Promise.all(['order-1', 'count-1'].map((stream) => valueOf(log, stream)))).toEqual([0, 0]);
    expect(await Promise.all(['order-1', 'limit'].map((stream) => valueOf(staged.log, stream)))).toEqual([0, 10]);
  });
});

describe('work in one write', () => {
  test('is done again, on what the others have written, when they come between', async () => {
    const log = memoryEventLog();
    const ids = [randomUUID(), randomUUID()];
    let works = 0;
    await inOneWrite(log, async (staged) => {
      works += 1;
      const { state, version } = await fold(staged, counter, tenant, 'count-1');
      const of = { command: { by: state + 1 }, expectedVersions: [{ stream: 'count-1', version }] };
      await count(staged, 'count-2', 0, { commitId: ids[0], command: () => Promise.resolve(of) });
      await count(staged, 'count-2', await valueOf(staged, 'count-2'), { commitId: ids[1] });
      if (works === 1) await count(log, 'count-1', 10);
    });
    expect([works, await valueOf(log, 'count-1'), await valueOf(log, 'count-2')]).toEqual([2, 10, 22]);
  });

  test('is given up after five times', async () => {
    const log = memoryEventLog();
    const work = inOneWrite(log, async (staged) => {
      await count(staged, 'count-1', 1);
      await count(log, 'count-1', 1);
    });
    await expect(work).rejects.toThrow(ConcurrencyConflict);
    expect(await valueOf(log, 'count-1')).toBe(5);
  });
});
