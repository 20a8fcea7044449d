import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messagesOf } from '@lyceum/channel';
import { crossing } from '../service/account.ts';
import { checkHistory } from '../history/check-history.ts';
import type { CrashPoint } from '../service/crash-point.ts';
import { type History, readHistory } from '../history/history.ts';
import type { Faults } from '../history/lane-history.ts';
import { source } from '../service/mini-service.ts';
import { oneFile } from '../history/one-file.ts';
import { type Servers, useServers } from '../service/servers.ts';

/** What to do. */
export interface Plan {
  readonly point: CrashPoint;
  readonly kills: number;
  /** Deaths at the latest at this passage of the point; the first is likelier. */
  readonly passages: number;
  /** The same seed asks the same requests and dies at the same passages. */
  readonly seed: string;
  /** The servers that a new data folder uses; none when not given. */
  readonly servers?: () => Servers;
}

/** What came of it. */
export interface Survived {
  /** Processes that killed themselves at the point. */
  readonly kills: number;
  readonly commits: number;
  readonly acknowledged: number;
  /** Answers to a request that an earlier run had stored. */
  readonly replayed: number;
  /** Records that the transport got more than once. */
  readonly repeated: number;
  /** Facts that the transport does not have. */
  readonly missing: number;
  /** Effects that were done already when their fact came again. */
  readonly redelivered: number;
  readonly faults: Faults;
}

/** Kills in one data folder, and between two looks at it; the runs between them go on from what a crash left. */
const runs = 25;
const look = 5;

/** Milliseconds in which a run must meet its point. */
const longestRun = 30_000;

const compiled = fileURLToPath(new URL('../../dist/kills/killed-process.js', import.meta.url));

/** Lets processes live and die in folder after folder, and checks what they leave. Needs the compiled package. */
export async function surviveKills({ point, kills, passages, seed, servers }: Plan): Promise<Survived> {
  const total = { kills: 0, commits: 0, acknowledged: 0, replayed: 0, repeated: 0, missing: 0, redelivered: 0 };
  const faults: Faults = [];
  // The drivers of servers are loaded when they are chosen, which one file that is compiled before cannot do.
  const script = servers ? compiled : oneFile(compiled);
  while (total.kills < kills && faults.length === 0) {
    const place = await mkdtemp(join(tmpdir(), 'lyceum-runs-'));
    const own = `${seed} ${point} ${total.kills}`;
    const count = Math.min(runs, kills - total.kills);
    const acknowledged = join(place, 'acknowledged');
    const data = join(place, 'data');
    if (servers) useServers(data, servers());
    const inspect = async (settled: boolean): Promise<History> => {
      const history = await readHistory(data, acknowledged);
      faults.push(...checkHistory(history, own, settled).map((fault) => `${own}: ${fault}`));
      return history;
    };
    for (let run = 1; run <= count && faults.length === 0; run += 1) {
      await die(script, data, own, acknowledged, point, passageOf(run, passages));
      total.kills += 1;
      if (run % look === 0) await inspect(false);
    }
    if (faults.length === 0) {
      await liveInPeace(script, data, own, acknowledged);
      add(total, await inspect(true));
    }
    await rm(place, { recursive: true });
  }
  return { ...total, faults };
}

/** Early and late deaths in turn. */
const passageOf = (run: number, passages: number): number => 1 + ((run * 7) % passages);

function add(total: { -readonly [Key in keyof Omit<Survived, 'faults'>]: number }, history: History): void {
  const { acknowledged, owner, redelivered, spooled } = history;
  total.commits += owner.flat().length;
  total.acknowledged += acknowledged.length;
  total.replayed += acknowledged.filter(({ replayed }) => replayed).length;
  total.redelivered += redelivered;
  spooled.forEach((positions, lane) => {
    const once = new Set(positions).size;
    total.repeated += positions.length - once;
    total.missing += messagesOf(source, owner[lane]!, 0, crossing).messages.length - once;
  });
}

/** One run that must end by its own SIGKILL at the point. */
async function die(
  ...[script, data, seed, acknowledged, point, passage]: [string, string, string, string, string, number]
): Promise<void> {
  const [code, signal] = await live(script, acknowledged, [data, seed, acknowledged, point, String(passage)]);
  if (signal !== 'SIGKILL') throw new Error(`a run ended with ${signal ?? code} before passage ${passage} of ${point}`);
}

async function liveInPeace(script: string, data: string, seed: string, acknowledged: string): Promise<void> {
  const [code, signal] = await live(script, acknowledged, [data, seed, acknowledged]);
  if (code !== 0) throw new Error(`the last run did not end in peace: ${signal ?? code}`);
}

async function live(
  script: string,
  acknowledged: string,
  args: readonly string[],
): Promise<[number | null, string | null]> {
  const output = await open(acknowledged, 'a');
  try {
    // Nothing of the test runner, its options or certificates to trust: each of thousands of starts would pay for them.
    // An option of the engine would make it compile what Node.js brings along compiled.
    const child = spawn(process.execPath, [script, ...args], {
      env: {},
      stdio: ['ignore', output.fd, 'inherit'],
    });
    // Its own signal must not look like the end that is wanted.
    const watchdog = setTimeout(() => child.kill('SIGTERM'), longestRun);
    const ended = (await once(child, 'exit')) as [number | null, string | null];
    clearTimeout(watchdog);
    return ended;
  } finally {
    await output.close();
  }
}
