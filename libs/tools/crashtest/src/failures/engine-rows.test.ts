import { afterAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Incoming, type Projection, incomingFromCommit, projector, sqliteDocuments } from '@lyceum/documents';
import {
  type Append,
  type EventLog,
  Gap,
  OutcomeUnknown,
  Unavailable,
  followLog,
  sqliteEventLog,
} from '@lyceum/eventlog';
import { sampleAppend } from '@lyceum/eventlog/testing';
import { isoTime, uuidv7 } from '@lyceum/kernel';
import { type Database, openDatabase } from '@lyceum/sqlite';
import { randomBytes } from 'node:crypto';
import { allOf } from '../history/history.ts';
import { checkLanes } from '../history/lane-history.ts';
import { source } from '../service/mini-service.ts';
import { PeacefulRun } from '../history/peaceful-run.ts';
import { diary } from '../service/projections.ts';

const root = await mkdtemp(join(tmpdir(), 'lyceum-rows-'));
afterAll(() => rm(root, { recursive: true }));
let folders = 0;
const newFolder = (): string => join(root, String((folders += 1)));

const noted = (stream: string, data: string, commitId = uuidv7(Date.now(), randomBytes(10))): Append =>
  sampleAppend({ commitId, events: [{ stream, type: 'Noted', schema: 1, data }] });

/** Appends until the disk refuses; gives the ids that were acknowledged, and what the refusal was. */
async function fill(log: EventLog): Promise<{ acknowledged: string[]; refused: Append; error: unknown }> {
  const acknowledged: string[] = [];
  for (;;) {
    const asked = noted(`note-${acknowledged.length % 5}`, 'x'.repeat(8_000));
    try {
      acknowledged.push((await log.append(asked)).commit.commitId);
    } catch (error) {
      return { acknowledged, refused: asked, error };
    }
  }
}

async function storedIds(log: EventLog): Promise<string[]> {
  const lanes = await allOf(log);
  const faults: string[] = [];
  checkLanes(lanes, faults);
  expect(faults).toEqual([]);
  return lanes.flat().map(({ commitId }) => commitId);
}

/** Makes a file system of 3 MB; gives the way to take it away. The driver holds files until garbage is collected, hence lazily. */
function smallDisk(folder: string): () => void {
  mkdirSync(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'lyceum', folder], { stdio: 'ignore' });
  return () => void execFileSync('umount', ['--lazy', folder]);
}

/** Whether the machine lets us make file systems. */
function canMount(): boolean {
  try {
    smallDisk(newFolder())();
    return true;
  } catch {
    return false;
  }
}

describe('the disk is full', () => {
  test('C15: the engine has no page left: appends fail, reads work, and with room again the same append goes through', async () => {
    let database: Database | undefined;
    const log = await sqliteEventLog({
      file: join(newFolder(), 'log.db'),
      open: async (file) => (database = await openDatabase(file, { durable: true })),
    });
    database!.exec('PRAGMA max_page_count = 100');
    const { acknowledged, refused, error } = await fill(log);
    expect(error).toBeInstanceOf(Unavailable);
    expect(acknowledged.length).toBeGreaterThan(10);
    expect(await storedIds(log)).toEqual(acknowledged);
    expect((await log.load('school_a', ['note-0'])).commits.length).toBeGreaterThan(2);
    database!.exec('PRAGMA max_page_count = 100000');
    expect(await log.append(refused)).toMatchObject({ replayed: false });
    await log.close();
  });

  (canMount() ? test : test.skip)(
    'C15: a file system without room: what was acknowledged is there, then and after a restart',
    async () => {
      const folder = newFolder();
      const unmount = smallDisk(folder);
      try {
        await writeFile(join(folder, 'ballast'), Buffer.alloc(1024 * 1024));
        const file = join(folder, 'data', 'log.db');
        const log = await sqliteEventLog({ file });
        const { acknowledged, refused, error } = await fill(log);
        expect([Unavailable, OutcomeUnknown].some((type) => error instanceof type)).toBe(true);
        expect(acknowledged.length).toBeGreaterThan(10);
        expect(await storedIds(log)).toEqual(acknowledged);
        await rm(join(folder, 'ballast'));
        expect((await log.append(refused)).commit.commitId).toBe(refused.commitId);
        const later = await fill(log);
        await log.close();
        const roomy = newFolder();
        await cp(join(folder, 'data'), roomy, { recursive: true });
        const again = await sqliteEventLog({ file: join(roomy, 'log.db') });
        const found = await storedIds(again);
        for (const id of [...acknowledged, refused.commitId, ...later.acknowledged]) expect(found).toContain(id);
        expect(await again.append(later.refused)).toMatchObject({ commit: { commitId: later.refused.commitId } });
        await again.close();
      } finally {
        unmount();
      }
    },
  );
});

describe('clocks', () => {
  test('C16: callers whose clocks jump by days write one order, and every reader follows it', async () => {
    const running = await PeacefulRun.on(newFolder());
    await running.calls(8, { now: () => Date.now() + (Math.random() - 0.5) * 4 * 86_400_000 });
    const { history, faults } = await running.end();
    expect(faults).toEqual([]);
    const times = history.owner[0]!.map(({ at }) => at);
    expect(times).not.toEqual([...times].sort());
  });

  test('C16: ids that name times in the past and the future are all found again', async () => {
    const log = await sqliteEventLog({ file: join(newFolder(), 'log.db'), gather: 4 });
    const appends = Array.from({ length: 120 }, (_, n) => {
      const now = Date.now() + (n % 7 === 0 ? -1 : 1) * ((n * 7_919) % 1_000) * 86_400;
      return { ...noted(`note-${n % 3}`, `${n}`, uuidv7(now, randomBytes(10))), at: isoTime(now) };
    });
    for (const append of appends) expect(await log.append(append)).toMatchObject({ replayed: false });
    for (const append of appends.toReversed()) expect(await log.append(append)).toMatchObject({ replayed: true });
    expect(await storedIds(log)).toEqual(appends.map(({ commitId }) => commitId));
    await log.close();
  });
});

describe('an event that a projection cannot take', () => {
  test('C14: its stream is parked, all others flow, and a redrive applies what waits, in order', async () => {
    const folder = newFolder();
    const log = await sqliteEventLog({ file: join(folder, 'log.db'), lanes: 1 });
    const documents = await sqliteDocuments({ file: join(folder, 'documents.db') });
    let isBroken = true;
    const projection: Projection = {
      collection: { name: 'notes', version: 1, fields: {} },
      key: ({ stream }) => stream,
      project({ data }, before) {
        if (isBroken && data === 'poison') throw new Error('cannot read this');
        return { seen: [...((before?.['seen'] as unknown[] | undefined) ?? []), data] };
      },
    };
    await documents.open(projection.collection);
    const history = async ({ stream, version, until }: { stream: string; version: number; until: number }) => {
      const { commits } = await log.load('school_a', [stream], version);
      const events: Incoming[] = commits.flatMap((commit) => [...incomingFromCommit(commit).events]);
      return events.filter((event) => event.position <= until && event.version > version);
    };
    const projecting = projector({ documents, projection, source: 'notes', tries: 2, history });
    const following = followLog(log, {
      from: (lane) => projecting.from(lane),
      handle: (commits) => projecting.handle(commits[0]!.lane, commits.map(incomingFromCommit)),
    });
    const seen = async (id: string) => (await documents.get(projection.collection, 'school_a', id))?.['seen'];
    for (const [stream, data] of [
      ['a', '1'],
      ['a', 'poison'],
      ['b', '1'],
      ['a', '2'],
      ['b', '2'],
    ] as const)
      await log.append(noted(stream, data));
    await following.caughtUp();
    expect([await seen('a'), await seen('b')]).toEqual([['1'], ['1', '2']]);
    const [parked] = await projecting.parked();
    expect(parked).toMatchObject({ stream: 'a', version: 2, position: 2, error: 'Error: cannot read this' });
    isBroken = false;
    expect(await projecting.redrive(parked!)).toMatchObject({ applied: 2, parked: undefined });
    expect(await seen('a')).toEqual(['1', 'poison', '2']);
    await following.close();
    await documents.close();
    await log.close();
  });
});

describe('a log that was restored from a backup', () => {
  test('C17: who has read further than the log goes stops with the place, and applies nothing', async () => {
    const folder = newFolder();
    const first = await PeacefulRun.on(folder);
    await first.calls(3);
    expect((await first.end()).faults).toEqual([]);
    const backup = newFolder();
    await mkdir(backup);
    await cp(join(folder, 'owner.events.db'), join(backup, 'owner.events.db'));
    const later = await PeacefulRun.on(folder);
    await later.calls(0);
    for (let n = 0; n < 20; n += 1)
      await later.service.log.append({ ...noted('account-9', ''), tenant: `school_${n}` });
    await later.service.close();

    await cp(join(backup, 'owner.events.db'), join(folder, 'owner.events.db'));
    const restored = await PeacefulRun.on(folder);
    const places = () =>
      Promise.all([0, 1].map((lane) => restored.service.consumer.checkpoint(diary.collection, source, lane)));
    const before = await places();
    await expect(restored.service.caughtUp()).rejects.toThrow(Gap);
    expect(await places()).toEqual(before);
    expect(await restored.service.log.head(0)).toBeLessThan(before[0]!);
    await restored.service.close();
  });
});
