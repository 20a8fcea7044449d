import { type Database, AlreadyRunning, openDatabase } from '@lyceum/sqlite';
import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Gap, OutcomeUnknown, Unavailable } from '../errors.ts';
import type { EventLog } from '../port.ts';
import { followLog } from '../follow.ts';
import { fromLine, toLine } from '../storage/line.ts';
import { sqliteEventLog } from './sqlite.ts';
import { testEventLog } from '../testing.ts';
import { noted, sampleAppend, wholeLane } from '../testing/sample.ts';
import { heldDatabase, reopenable } from '../testing/opened.ts';

const folder = await mkdtemp(join(tmpdir(), 'lyceum-eventlog-'));
afterAll(() => rm(folder, { recursive: true }));
let files = 0;
const newFile = (): string => join(folder, String((files += 1)), 'log.db');

/** The line of a commit, naming another predecessor. */
const unchained = (line: string): string => toLine({ ...fromLine(line), prev: 'x' });

const openLog = (gather?: number) => () => {
  const file = newFile();
  return reopenable(() => sqliteEventLog({ file, ...(gather && { gather }) }));
};

testEventLog('sqlite', openLog());
testEventLog('sqlite, indexing commits at every turn', openLog(1));
testEventLog('sqlite, indexing commits while others come', openLog(16));

/** A database whose `method` throws as long as the switch is on. */
async function faulty(file: string, method: 'begin' | 'commit' | 'lostCommit' | 'sync', gather?: number) {
  const real = await openDatabase(file, { durable: false });
  const fault = { on: false };
  const fail = (): void => {
    if (fault.on) throw new Error('disk I/O error');
  };
  const database: Database = {
    exec: (sql) => real.exec(sql),
    prepare: (sql) => real.prepare(sql),
    begin() {
      if (method === 'begin') fail();
      real.begin();
    },
    commit() {
      if (method === 'commit') fail();
      real.commit();
      if (method === 'lostCommit') fail();
    },
    async sync() {
      if (method === 'sync') fail();
      await real.sync();
    },
    rollback: () => real.rollback(),
    transaction: (work) => real.transaction(work),
    scrub: () => real.scrub(),
    close: () => real.close(),
  };
  return { fault, log: await sqliteEventLog({ file, open: async () => database, ...(gather && { gather }) }) };
}

describe('the SQLite log, when the engine fails', () => {
  test('a failure before the commit is Unavailable: nothing was written, and a retry goes through', async () => {
    const { fault, log } = await faulty(newFile(), 'begin');
    await log.append(sampleAppend());
    fault.on = true;
    const append = sampleAppend({ expectations: [{ stream: 'note-1', version: 1 }] });
    await expect(log.append(append)).rejects.toThrow(Unavailable);
    fault.on = false;
    expect(await log.append(append)).toMatchObject({ replayed: false, commit: { position: 2 } });
    await log.close();
  });

  test('a failed commit that was not stored is OutcomeUnknown for the whole group, and a retry writes it', async () => {
    const { fault, log } = await faulty(newFile(), 'commit');
    fault.on = true;
    const appends = [sampleAppend(), sampleAppend({ tenant: 'school_b' })];
    for (const settled of await Promise.allSettled(appends.map((append) => log.append(append))))
      expect(settled).toMatchObject({ status: 'rejected', reason: expect.any(OutcomeUnknown) });
    expect(await log.head(log.laneOf('school_a'))).toBe(0);
    fault.on = false;
    for (const append of appends)
      expect(await log.append(append)).toMatchObject({ replayed: false, commit: { position: 1 } });
    await log.close();
  });

  test('a failed commit that was stored is OutcomeUnknown too, and a retry with the same id finds it', async () => {
    const { fault, log } = await faulty(newFile(), 'lostCommit');
    fault.on = true;
    const append = sampleAppend({ expectations: [{ stream: 'note-1', version: 0 }] });
    await expect(log.append(append)).rejects.toThrow(OutcomeUnknown);
    fault.on = false;
    expect(await log.append(append)).toMatchObject({ replayed: true, commit: { position: 1 } });
    expect((await log.append(sampleAppend())).commit).toMatchObject({ position: 2, prev: append.commitId });
    await log.close();
  });

  test('a commit that could not be brought to stable storage is told to nobody, and nothing is written after it', async () => {
    const file = newFile();
    const { fault, log } = await faulty(file, 'sync');
    const [first, lost] = [sampleAppend(), sampleAppend()];
    await log.append(first);
    fault.on = true;
    await expect(log.append(lost)).rejects.toThrow(OutcomeUnknown);
    fault.on = false;
    await expect(log.append(sampleAppend({ tenant: 'school_b' }))).rejects.toThrow('restart the process');
    const { lane } = await log.load('school_a', ['another']);
    for (const read of [
      log.load('school_a', ['note-1']),
      log.find('school_a', lost.commitId),
      log.readLane(lane, 0, 10),
      log.head(lane),
    ])
      await expect(read).rejects.toThrow(Unavailable);
    expect(log.observeNow!('school_a', 'note-1')).toBeUndefined();
    expect(await log.find('school_a', first.commitId)).toMatchObject({ position: 1 });
    expect(await log.readLane(lane, 0, 1)).toHaveLength(1);
    await log.close();
    const again = await sqliteEventLog({ file });
    expect(await again.append(lost)).toMatchObject({ replayed: true, commit: { position: 2 } });
    await again.close();
  });

  test('a failed commit that was stored is handed to followers at once, as any other', async () => {
    const { fault, log } = await faulty(newFile(), 'lostCommit');
    const handed: string[] = [];
    const following = followLog(log, {
      from: async () => 0,
      handle: async (commits) => void handed.push(...commits.map(({ commitId }) => commitId)),
      poll: 3_600_000,
    });
    await following.caughtUp();
    fault.on = true;
    const append = sampleAppend();
    await expect(log.append(append)).rejects.toThrow(OutcomeUnknown);
    fault.on = false;
    for (let n = 0; n < 200 && handed.length === 0; n += 1) await pause(5);
    expect(handed).toEqual([append.commitId]);
    await following.close();
    await log.close();
  });

  test.each(['commit', 'lostCommit'] as const)(
    'failures while commits are indexed lose nothing and double nothing (%s)',
    async (method) => {
      const file = newFile();
      const { fault, log } = await faulty(file, method, 8);
      const appends = Array.from({ length: 120 }, (_, n) =>
        sampleAppend({ events: [noted(`note-${n % 7}`), noted(`other-${n}`)] }),
      );
      for (const [index, append] of appends.entries()) {
        fault.on = index % 3 === 2;
        if (fault.on) await expect(log.append(append)).rejects.toThrow(OutcomeUnknown);
        fault.on = false;
        await log.append(append);
      }
      const lane = log.laneOf('school_a');
      await sameAsWritten(log);
      await log.close();
      const again = await sqliteEventLog({ file });
      await sameAsWritten(again);
      await again.close();

      async function sameAsWritten(opened: EventLog): Promise<void> {
        expect((await wholeLane(opened, lane)).map(({ commitId }) => commitId)).toEqual(appends.map((a) => a.commitId));
        for (const [index, { commitId }] of appends.entries())
          expect(await opened.find('school_a', commitId)).toMatchObject({ position: index + 1 });
        for (let n = 0; n < 7; n += 1) {
          const { commits, heads } = await opened.load('school_a', [`note-${n}`]);
          expect(commits.map(({ position }) => position)).toEqual(
            appends.flatMap((_, index) => (index % 7 === n ? [index + 1] : [])),
          );
          expect(heads).toEqual({ [`note-${n}`]: commits.length });
        }
      }
    },
  );
});

describe('the SQLite log file', () => {
  test('cannot be opened twice: the second one is told that the data directory is in use', async () => {
    const file = newFile();
    const log = await sqliteEventLog({ file });
    await expect(sqliteEventLog({ file })).rejects.toThrow(AlreadyRunning);
    await log.append(sampleAppend());
    await log.close();
    const again = await sqliteEventLog({ file });
    expect(await again.head(again.laneOf('school_a'))).toBe(1);
    await again.close();
  });

  test('keeps its number of lanes: another one is refused, none means the stored one', async () => {
    const file = newFile();
    await (await sqliteEventLog({ file, lanes: 4 })).close();
    await expect(sqliteEventLog({ file, lanes: 8 })).rejects.toThrow('created with 4 lanes');
    const log = await sqliteEventLog({ file });
    expect(log.lanes).toBe(4);
    await log.close();
  });

  test.each([
    ['a missing commit', 3, (line: string) => toLine({ ...fromLine(line), position: 4 })],
    ['a commit that does not follow its predecessor', 4, unchained],
  ])('%s is a gap, and what comes before it is still read', async (_, at, damage) => {
    const file = newFile();
    const log = await sqliteEventLog({ file });
    for (let n = 0; n < 5; n += 1) await log.append(sampleAppend());
    const lane = log.laneOf('school_a');
    await log.close();
    const database = await openDatabase(file, { durable: true });
    const { lines } = database.prepare<{ lines: string }>('SELECT lines FROM commits WHERE id = ?').get(at)!;
    database.prepare('UPDATE commits SET lines = ? WHERE id = ?').run(damage(lines), at);
    database.close();
    const damaged = await sqliteEventLog({ file });
    await expect(damaged.readLane(lane, 0, 10)).rejects.toMatchObject({ name: Gap.name, lane, at });
    expect(await damaged.readLane(lane, 0, at - 1)).toHaveLength(at - 1);
    await damaged.close();
  });

  test('what is on its way to stable storage is told when it is there, and all else at once', async () => {
    const { held, way } = await heldDatabase(newFile());
    const log = await sqliteEventLog({ file: 'held', open: async () => held });
    const append = sampleAppend();
    const [told, heard]: [string[], number[]] = [[], []];
    log.wake((lane) => heard.push(lane));
    const tell = (what: string) => () => void told.push(what);
    const appending = log.append(append).then(tell('appended'));
    while (!way.arrived) await pause(1);
    const lane = log.laneOf('school_a');
    const waiting = [
      log.load('school_a', ['note-1']).then(tell('loaded')),
      log.find('school_a', append.commitId).then(tell('found')),
      log.readLane(lane, 0, 10).then(tell('read')),
      log.head(lane).then(tell('head')),
    ];
    expect(log.observeNow!('school_a', 'note-1')).toBeUndefined();
    expect(log.observeNow!('school_a', 'note-2')).toEqual({ version: 0, lane, position: 0 });
    expect((await log.load('school_a', ['note-2'])).commits).toEqual([]);
    expect(await log.find('school_a', 'another')).toBeUndefined();
    await pause(20);
    expect([told, heard]).toEqual([[], []]);
    way.arrived();
    await Promise.all([appending, ...waiting]);
    expect([told.length, heard]).toEqual([5, [lane]]);
    expect(log.observeNow!('school_a', 'note-1')).toEqual({ version: 1, lane, position: 1 });
    await log.close();
  });

  test('no read scans a table: each step of each query plan searches an index', async () => {
    const file = newFile();
    const queries: string[] = [];
    const real = await openDatabase(file, { durable: true });
    const prepare: Database['prepare'] = (sql) => {
      if (/FROM (commits|runs|ids|touches|archived)/.test(sql)) queries.push(sql);
      return real.prepare(sql);
    };
    const recording = new Proxy(real, {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key);
        return key === 'prepare' ? prepare : typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const archive = { olderThan: 0, first: 0 };
    const log = await sqliteEventLog({ file, open: async () => recording, archive });
    while (!queries.some((sql) => sql.startsWith('DELETE'))) await pause(1);
    expect(queries.length).toBeGreaterThanOrEqual(11);
    for (const query of queries) {
      const nulls = Array<null>((query.match(/\?(?!\d)/g) ?? [null, null]).length).fill(null);
      const plan = real.prepare<{ detail: string }>(`EXPLAIN QUERY PLAN ${query}`);
      const steps = plan.all(...nulls).map((row) => row.detail);
      // An explanation read to its end stays open in the engine, and would keep the file from closing; one row does not.
      plan.get(...nulls);
      expect(steps.length).toBeGreaterThan(0);
      expect(steps.filter((step) => /SCAN|TEMP B-TREE/.test(step))).toEqual([]);
    }
    await log.close();
  });
});
