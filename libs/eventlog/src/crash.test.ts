import { AlreadyRunning, openDatabase } from '@lyceum/sqlite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Commit, EventLog } from './port.ts';
import { sqliteEventLog } from './sqlite/sqlite.ts';

/** Kills in a run. A longer proof: `CRASH_KILLS=1000`, with a test time-out to match. */
const kills = Number(process.env['CRASH_KILLS'] ?? 20);
/** Kills of one log: each look reads all of it. */
const lives = 25;

const packageFolder = fileURLToPath(new URL('..', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'lyceum-crash-'));
afterAll(() => rm(folder, { recursive: true }));

// A child process cannot read TypeScript, so it runs what the compiler makes of today's sources, once for a test run.
beforeAll(async () => {
  if (process.env['TEST_BUILT'] !== '1') await promisify(execFile)('npx', ['tsc', '-b'], { cwd: packageFolder });
}, 120_000);

/** Starts the writer, kills it a random moment after its first acknowledgement; returns what it acknowledged. */
async function runUntilKilled(
  file: string,
  options: readonly string[],
  whileRunning?: () => Promise<void>,
): Promise<string[]> {
  const script = join(packageFolder, 'dist/testing/crash-writer.js');
  // Nothing of the test runner: its options, and certificates to trust, would make each start slower.
  const child = spawn(process.execPath, [script, file, ...options], { env: {}, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let output = '';
  const acknowledging = new Promise<void>((resolve) =>
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('\n', 'open\n'.length)) resolve();
    }),
  );
  await Promise.race([acknowledging, exited.then(() => Promise.reject(new Error('the writer ended by itself')))]);
  await whileRunning?.();
  await pause(Math.random() * 60);
  child.kill('SIGKILL');
  await exited;
  // A last line that was cut off was not acknowledged to anyone.
  return output.slice('open\n'.length, output.lastIndexOf('\n')).split('\n');
}

async function allCommits(log: EventLog): Promise<Commit[]> {
  const all: Commit[] = [];
  for (let lane = 0; lane < log.lanes; lane += 1)
    for (let after = 0; after < (await log.head(lane)); after = all.at(-1)!.position)
      all.push(...(await log.readLane(lane, after, 5_000)));
  return all;
}

const line = (commit: Commit): string => `${commit.lane} ${commit.position} ${commit.commitId}`;

describe('a killed SQLite log', () => {
  test.each([
    ['', []],
    [' while it archives', ['archive']],
  ] as const)(
    `after each of ${kills} kills%s every acknowledged commit is there exactly once, and nothing is half written`,
    async (_, options) => {
      let total = 0;
      let acknowledged: string[] = [];
      const fileOf = (kill: number) => join(folder, `log-${options.join()}${Math.floor(kill / lives)}.db`);
      // A slow machine needs more lives until a log has so much that some of it is archived.
      const goesOn = async (kill: number) =>
        kill < kills || (options.length > 0 && kill < 5 * kills && (await archivedBlocks(fileOf(kill - 1))) === 0);
      let kill = 0;
      for (; await goesOn(kill); kill += 1) {
        if (kill % lives === 0) acknowledged = [];
        const file = fileOf(kill);
        const before = acknowledged.length;
        acknowledged.push(...(await runUntilKilled(file, options)));
        total += acknowledged.length - before;
        const log = await sqliteEventLog({ file });
        // readLane throws on a gap or a broken chain, so positions are contiguous.
        const commits = await allCommits(log);
        const stored = commits.map(line);
        expect(new Set(commits.map((commit) => commit.commitId)).size).toBe(stored.length);
        const present = new Set(stored);
        expect(acknowledged.filter((each) => !present.has(each))).toEqual([]);
        expect(await brokenStreams(log, commits)).toEqual([]);
        await log.close();
      }
      expect(total).toBeGreaterThan(kills);
      expect((await archivedBlocks(fileOf(kill - 1))) > 0).toBe(options.length > 0);
    },
    60_000 + kills * 5_000,
  );

  test('while one process runs, another one is refused; once it is killed, the next one starts', async () => {
    const file = join(folder, 'held.db');
    await runUntilKilled(file, [], () => expect(sqliteEventLog({ file })).rejects.toThrow(AlreadyRunning));
    const log = await sqliteEventLog({ file });
    expect((await allCommits(log)).length).toBeGreaterThan(0);
    await log.close();
  }, 60_000);
});

async function archivedBlocks(file: string): Promise<number> {
  const database = await openDatabase(file, { durable: true });
  const { blocks } = database.prepare<{ blocks: number }>('SELECT count(*) AS blocks FROM archived').get()!;
  database.close();
  return blocks;
}

/** Streams whose versions in the lane and in their index are not 1, 2, 3 … up to the head. */
async function brokenStreams(log: EventLog, commits: readonly Commit[]): Promise<string[]> {
  const versions = new Map<string, number[]>();
  for (const { tenant, events } of commits)
    for (const { stream, version } of events) {
      const key = `${tenant} ${stream}`;
      versions.set(key, [...(versions.get(key) ?? []), version]);
    }
  const broken: string[] = [];
  for (const [key, found] of versions) {
    // Streams of one event are many; the shared ones are where a torn commit would show.
    if (found.length === 1 && found[0] === 1) continue;
    const [tenant, stream] = key.split(' ') as [string, string];
    const { heads, commits: loaded } = await log.load(tenant, [stream]);
    const indexed = loaded.flatMap((commit) => commit.events.filter((e) => e.stream === stream).map((e) => e.version));
    const contiguous = found.every((version, index) => version === index + 1);
    if (!contiguous || heads[stream] !== found.length || indexed.length !== found.length) broken.push(key);
  }
  return broken;
}
