import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EventLog, sqliteEventLog } from '@lyceum/eventlog';
import { sampleAppend } from '@lyceum/eventlog/testing';
import { openDatabase } from '@lyceum/sqlite';
import { watchedDatabase } from '../service/watched-database.ts';

const root = await mkdtemp(join(tmpdir(), 'lyceum-fsyncs-'));
afterAll(() => rm(root, { recursive: true }));

/** A log that tells when it begins to bring a transaction to stable storage, and when it is there. */
async function watched(name: string, gather: number) {
  const events: string[] = [];
  const log = await sqliteEventLog({
    file: join(root, name),
    gather,
    open: async (file) =>
      watchedDatabase(await openDatabase(file, { durable: false }), {
        commit: () => events.push('commit'),
        synced: () => events.push('durable'),
      }),
  });
  events.length = 0;
  const acknowledged = async (): Promise<void> => {
    await log.append(sampleAppend());
    events.push('acknowledged');
  };
  return { log, events, acknowledged, commits: () => events.filter((each) => each === 'commit').length };
}

const all = (count: number, work: () => Promise<void>) => Promise.all(Array.from({ length: count }, work));

describe('one fsync serves a whole group', () => {
  test('64 callers that append at the same time share one commit, and nobody is answered before it is durable', async () => {
    const { log, events, acknowledged } = await watched('group.db', 2_048);
    await all(64, acknowledged);
    expect(events.slice(0, 2)).toEqual(['commit', 'durable']);
    expect(events.slice(2)).toEqual(Array.from({ length: 64 }, () => 'acknowledged'));
    await log.close();
  });

  test('a group of more than 512 is two, and each has one commit', async () => {
    const { log, acknowledged, commits } = await watched('large.db', 2_048);
    await all(1_000, acknowledged);
    expect(commits()).toBe(2);
    await log.close();
  });

  test.each([
    ['while commits stay in the journal', 2_048],
    ['while commits move to the tables', 8],
  ])('%s, rounds of 16 callers cost at most one commit each', async (_, gather) => {
    const { log, acknowledged, commits } = await watched(`rounds-${gather}.db`, gather);
    for (let round = 0; round < 25; round += 1) await all(16, acknowledged);
    expect(commits()).toBeLessThanOrEqual(25);
    expect(await total(log)).toBe(400);
    await log.close();
  });

  test('reading costs none', async () => {
    const { log, acknowledged, commits } = await watched('reads.db', 2_048);
    await all(4, acknowledged);
    const before = commits();
    await Promise.all([log.load('school_a', ['note-1']), log.readLane(0, 0, 10), total(log)]);
    expect(commits()).toBe(before);
    await log.close();
  });
});

async function total(log: EventLog): Promise<number> {
  const heads = await Promise.all(Array.from({ length: log.lanes }, (_, lane) => log.head(lane)));
  return heads.reduce((sum, head) => sum + head);
}
