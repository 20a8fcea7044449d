import { afterAll, describe, expect, test } from '@jest/globals';
import { type Database, openDatabase } from '@lyceum/sqlite';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Damaged, Gap, OutcomeUnknown, Unavailable } from '../../errors.ts';
import { faultsIn } from '../../log-check.ts';
import { sqliteEventLog } from '../sqlite.ts';
import { archiveAll, openArchived, readsOf, writeLog } from '../../testing/archived.ts';
import { sampleAppend, wholeLane } from '../../testing/sample.ts';
import { heldDatabase } from '../../testing/opened.ts';

const folder = await mkdtemp(join(tmpdir(), 'lyceum-archive-faults-'));
afterAll(() => rm(folder, { recursive: true }));
let files = 0;

/** A closed log of 30 commits, and what it tells. */
async function written() {
  const file = join(folder, String((files += 1)), 'log.db');
  await writeLog(file, 30);
  return { file, before: await readsIn(file) };
}

async function readsIn(file: string): Promise<unknown> {
  const log = await sqliteEventLog({ file });
  const reads = await readsOf(log, 30);
  await log.close();
  return reads;
}

type Fails = 'begin' | 'insert' | 'delete' | 'commit' | 'lostCommit' | 'sync';

/** Opens a database that fails in the third move of rows into the archive, once. */
const failing = (fails: Fails) => async (file: string) => {
  const real = await openDatabase(file, { durable: false });
  const state = { moves: 0, isMoving: false, hasFailed: false };
  const fail = (where: Fails): void => {
    const isNow = where === 'begin' ? state.moves === 2 : state.isMoving && state.moves === 3;
    if (where !== fails || state.hasFailed || !isNow) return;
    state.hasFailed = true;
    throw new Error('disk I/O error');
  };
  const prepare: Database['prepare'] = (sql) => {
    const statement = real.prepare<never>(sql);
    const where = sql.startsWith('INSERT INTO archived') ? 'insert' : sql.startsWith('DELETE FROM commits') && 'delete';
    if (!where) return statement;
    return {
      ...statement,
      run(...values) {
        if (where === 'insert') [state.moves, state.isMoving] = [state.moves + 1, true];
        const done = statement.run(...values);
        fail(where);
        return done;
      },
    };
  };
  const database: Database = {
    exec: (sql) => real.exec(sql),
    prepare,
    begin() {
      fail('begin');
      real.begin();
    },
    commit() {
      fail('commit');
      real.commit();
      fail('lostCommit');
    },
    async sync() {
      fail('sync');
      state.isMoving = false;
      await real.sync();
    },
    rollback() {
      state.isMoving = false;
      real.rollback();
    },
    transaction: (work) => real.transaction(work),
    scrub: () => real.scrub(),
    close: () => real.close(),
  };
  return database;
};

describe('the archive, when the engine fails in the middle of a move', () => {
  test.each(['begin', 'insert', 'delete', 'commit', 'lostCommit'] as const)(
    '(%s) the log is as before and is written to, and the next look goes on',
    async (fails) => {
      const { file, before } = await written();
      const errors: unknown[] = [];
      const told: number[] = [];
      const archive = {
        ...archiveAll,
        onArchived: ({ commits }: { commits: number }) => told.push(commits),
        onFailed: (error: unknown) => errors.push(error),
      };
      const log = await sqliteEventLog({ file, open: failing(fails), archive });
      while (told.length < 2) await pause(1);
      expect(errors).toEqual([expect.any(fails.endsWith('ommit') ? OutcomeUnknown : Unavailable)]);
      expect([told[0], told.reduce((sum, each) => sum + each)]).toEqual([2, fails === 'lostCommit' ? 29 : 30]);
      expect(await readsOf(log, 30)).toEqual(before);
      const { commit, replayed } = await log.append(sampleAppend());
      expect([commit.position, replayed]).toEqual([16, false]);
      await log.close();
      expect((await wholeLog(file)).length).toBe(31);
    },
  );

  test('(sync) nothing is written any more until the next start, which finds every commit once', async () => {
    const { file, before } = await written();
    const failed = new Promise<unknown>((onFailed) => {
      const archive = { ...archiveAll, every: 1_000_000, onFailed };
      void sqliteEventLog({ file, open: failing('sync'), archive }).then((log) => (opened = log));
    });
    let opened: Awaited<ReturnType<typeof sqliteEventLog>> | undefined;
    expect(await failed).toBeInstanceOf(OutcomeUnknown);
    await expect(opened!.append(sampleAppend())).rejects.toThrow('restart the process');
    expect(await readsOf(opened!, 30)).toEqual(before);
    await opened!.close();
    expect(await readsIn(file)).toEqual(before);
  });
});

async function wholeLog(file: string) {
  const log = await sqliteEventLog({ file });
  const lanes = await Promise.all(Array.from({ length: log.lanes }, (_, lane) => wholeLane(log, lane)));
  await log.close();
  return lanes.flat();
}

describe('closing a log while it archives', () => {
  test('at whatever moment, every commit is there once', async () => {
    const { file } = await written();
    for (let turn = 0; turn < 25; turn += 1) {
      const log = await sqliteEventLog({ file, archive: archiveAll });
      for (let n = 0; n < turn % 7; n += 1) await pause(0);
      const late = log.append(sampleAppend({ tenant: 'school_z' }));
      await log.close();
      await late;
    }
    const log = await sqliteEventLog({ file });
    expect(await faultsIn(log)).toEqual([]);
    await log.close();
    expect(new Set((await wholeLog(file)).map(({ commitId }) => commitId)).size).toBe(30 + 25);
  });

  test('waits for the block that is on its way to stable storage', async () => {
    const { file, before } = await written();
    const { held, way } = await heldDatabase(file);
    const log = await sqliteEventLog({ file, open: async () => held, archive: archiveAll });
    while (!way.arrived) await pause(1);
    expect(await readsOf(log, 30)).toEqual(before);
    let isClosed = false;
    const closing = log.close().then(() => (isClosed = true));
    await pause(20);
    expect(isClosed).toBe(false);
    way.arrived();
    await closing;
    expect(await readsIn(file)).toEqual(before);
  });
});

async function change(file: string, sql: string, ...values: readonly (string | number | Uint8Array)[]): Promise<void> {
  const database = await openDatabase(file, { durable: true });
  expect(database.prepare(sql).run(...values).changes).toBeGreaterThan(0);
  database.close();
}

async function oldestBlock(file: string) {
  const database = await openDatabase(file, { durable: true });
  const block = database.prepare<{ id: number; rows: Uint8Array }>('SELECT id, rows FROM archived ORDER BY id').get()!;
  database.close();
  return block;
}

describe('an archive that is damaged', () => {
  test('tells so at each place of the block from the damage on, and what is before and after it is read', async () => {
    const { file } = await written();
    const commits = await wholeLog(file);
    await (await openArchived({ file }, { together: 4_000, room: 4_000 })).close();
    const { id, rows } = await oldestBlock(file);
    const block = Buffer.from(rows);
    block[block.length - 40] = block[block.length - 40]! ^ 0x55;
    await change(file, 'UPDATE archived SET rows = ? WHERE id = ?', block, id);
    const log = await sqliteEventLog({ file });
    const faults = await faultsIn(log);
    expect([faults.length > 0, faults.length < commits.length / 4]).toEqual([true, true]);
    for (const { lane, position, reason } of faults) {
      expect(reason).toBe('damaged');
      const read = log.readLane(lane, Math.max(position - 1, 0), 1);
      await expect(read).rejects.toMatchObject({ name: Damaged.name, lane });
    }
    const damaged = new Set(faults.map(({ lane, position }) => `${lane} ${position}`));
    for (const { tenant, commitId, lane, position } of commits) {
      const found = log.find(tenant, commitId);
      if (damaged.has(`${lane} ${position}`)) await expect(found).rejects.toThrow(Unavailable);
      else expect(await found).toMatchObject({ lane, position });
    }
    await log.close();
  });

  test.each([
    ['zeros', 'UPDATE archived SET rows = zeroblob(500) WHERE id % (1 << 40) = 4', Damaged.name],
    ['an empty one', `UPDATE archived SET rows = x'' WHERE id % (1 << 40) = 4`, Damaged.name],
    ['none', 'DELETE FROM archived WHERE id % (1 << 40) = 4', Gap.name],
  ])('with %s in the place of a block lacks its commits only', async (_, sql, name) => {
    const { file } = await written();
    await (await openArchived({ file })).close();
    await change(file, sql);
    const log = await sqliteEventLog({ file });
    const faults = await faultsIn(log);
    expect(faults).toHaveLength(1);
    for (const { lane, position } of faults) {
      await expect(log.readLane(lane, 0, 100)).rejects.toMatchObject({ name, lane, at: position });
      expect(await log.readLane(lane, 0, position - 1)).toHaveLength(position - 1);
      expect(await log.readLane(lane, position + 1, 100)).toHaveLength(15 - position - 1);
      expect(await wholeLane(log, 1 - lane)).toHaveLength(15);
    }
    await log.close();
  });

  test('a row with a damaged line is not moved, and tells its place as before', async () => {
    const { file } = await written();
    await change(file, `UPDATE commits SET lines = replace(lines, 'note', 'nota') WHERE id = 7`);
    const log = await sqliteEventLog({ file });
    const faults = await faultsIn(log);
    await log.close();
    expect(faults).toHaveLength(1);
    await (await openArchived({ file }, { together: 2_000 })).close();
    const again = await sqliteEventLog({ file });
    expect(await faultsIn(again)).toEqual(faults);
    await again.close();
    const database = await openDatabase(file, { durable: true });
    expect(database.prepare('SELECT id FROM commits WHERE id < 16').all()).toEqual([{ id: 7 }]);
    database.close();
  });
});
