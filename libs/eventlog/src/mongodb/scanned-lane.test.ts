import { failureOf } from '@lyceum/mongo';
import { availability } from '@lyceum/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { randomUUID } from 'node:crypto';
import { ScannedLane } from './scanned-lane.ts';
import { createRegister, entriesOf, segmentLength } from './segments.ts';
import type { StoredCommit } from '../storage/store.ts';

const { engines, reason } = await availability('mongodb');
if (engines.length === 0) test.skip(`lanes that are scanned: ${reason}`, () => undefined);

/** Commits from one position to another, each naming the one before. */
const commits = (from: number, to: number): StoredCommit[] =>
  Array.from({ length: to - from + 1 }, (_, index) => {
    const position = from + index;
    const [commitId, prev] = [`c${position}`, position > 1 ? `c${position - 1}` : ''];
    const streams = [{ id: 'note-1', before: position - 1, after: position }];
    return { ...rest, position, commitId, prev, streams };
  });
const at = '2026-01-01T00:00:00.000Z';
const rest = { lane: 0, tenant: 'school_a', fingerprint: '', at, meta: '{}', events: '[[0,"Noted",1,{}]]' };

describe.each(engines.slice(0, 1))('a lane in segments on $title', (engine) => {
  let client: MongoClient;
  let commands: string[] = [];
  let writer: ScannedLane;
  let reader: ScannedLane;
  beforeEach(async () => {
    const { url } = await engine.shared();
    client ??= new MongoClient(url, { monitorCommands: true });
    const db = client.db(`lane_${randomUUID().slice(0, 8)}`);
    await createRegister(db);
    [writer, reader] = [new ScannedLane(0, db), new ScannedLane(0, db)];
    client.removeAllListeners('commandStarted');
    client.on('commandStarted', ({ commandName }) => commands.push(commandName));
  });
  afterAll(() => client?.close());

  test('an insert whose first part is stored is not taken for one that was never sent', async () => {
    const db = client.db(`lane_${randomUUID().slice(0, 8)}`);
    await createRegister(db);
    const halted = Object.assign(new Error('no server'), { name: 'MongoServerSelectionError' });
    const known = entriesOf(db);
    const lane = new ScannedLane(0, db, (id) => (id === '0/1' ? Promise.reject(halted) : known(id)));
    const failed = await lane.insert(commits(segmentLength, segmentLength + 1)).catch((error: unknown) => error);
    expect(failureOf(failed)).toBe('unknown');
    expect(await lane.reread(segmentLength)).toMatchObject({ position: segmentLength });
  });

  /** Lets the other process write, then looks as `Lane` does; gives positions and the commands that it took. */
  async function looked(written: readonly StoredCommit[], from: number): Promise<[number[], number]> {
    await writer.insert(written);
    commands = [];
    const found: StoredCommit[] = [];
    for (;;) {
      const { commits: some, end } = await reader.following(from + found.length);
      for (const commit of some) reader.learn(commit);
      found.push(...some);
      if (end) return [found.map(({ position }) => position), commands.length];
    }
  }

  test('a group of another process is read by a few commands, not one for each commit', async () => {
    await reader.open();
    const [positions, asked] = await looked(commits(1, 60), 0);
    expect(positions).toEqual(commits(1, 60).map(({ position }) => position));
    // The register, the first, two more, the segment.
    expect(asked).toBeLessThanOrEqual(6);
    expect(await looked(commits(61, 61), 60)).toEqual([[61], 3]);
    expect(await looked([], 61)).toEqual([[], 1]);
  });

  test('a group that goes on in the next segment is read to its end', async () => {
    await writer.insert(commits(1, segmentLength - 10));
    expect((await reader.open())?.position).toBe(segmentLength - 10);
    const [positions] = await looked(commits(segmentLength - 9, segmentLength + 20), segmentLength - 10);
    expect(positions).toEqual(commits(segmentLength - 9, segmentLength + 20).map(({ position }) => position));
    // The end of a segment, when there is no other yet.
    expect(await looked(commits(segmentLength + 21, 2 * segmentLength), segmentLength + 20)).toMatchObject([
      { length: segmentLength - 20 },
      expect.any(Number),
    ]);
  });

  test('what two create at once for the same positions is one segment', async () => {
    const [ours, theirs] = [commits(1, 1), commits(1, 1)];
    const stored = await Promise.allSettled([writer.insert(ours), reader.insert(theirs)]);
    expect(stored.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await writer.range(1, 10)).map(({ position }) => position)).toEqual([1]);
  });

  test.each([
    ['opened, and learns of them', true],
    ['never opened', false],
  ])('commits that come between two looks of one reading are no hole: a lane that is %s', async (_, opens) => {
    await writer.insert(commits(1, 2));
    if (opens) await reader.open();
    const ask = reader.reread.bind(reader);
    reader.reread = async (position) => {
      const found = await ask(position);
      if (position !== 3 || found) return found;
      await writer.insert(commits(3, 6));
      if (opens) for (const commit of commits(2, 6)) reader.learn(commit);
      return undefined;
    };
    const positions = (await reader.range(1, 10)).map(({ position }) => position);
    expect(positions).toEqual(opens ? [1, 2] : [1, 2, 3, 4, 5, 6]);
    expect((await reader.range(1, 10)).length).toBe(6);
  });

  test('a hole hides what comes after it from those who look for the end', async () => {
    await reader.open();
    await writer.insert([...commits(1, 20), ...commits(22, 30)]);
    expect((await looked([], 0))[0]).toEqual(commits(1, 20).map(({ position }) => position));
  });
});
