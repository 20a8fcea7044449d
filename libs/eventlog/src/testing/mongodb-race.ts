import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type History, checkHistory } from './mongodb-history.ts';

/** What to run. */
export interface Race {
  readonly url: string;
  readonly database: string;
  readonly lanes: number;
  readonly processes: number;
  readonly callers: number;
  /** Appends that each process must get acknowledged. */
  readonly appends: number;
  /** Processes that share a lane; all of them = everybody races everybody. There must be as many lanes as processes. */
  readonly sharing: number;
  /** Milliseconds between disturbances, about: a process is killed and replaced, or stopped for a while. 0 = none. */
  readonly disturb: number;
}

/** What happened. */
export interface Raced extends History {
  readonly acknowledged: number;
  readonly conflicts: number;
  readonly unknown: number;
  readonly unavailable: number;
  readonly kills: number;
  readonly pauses: number;
  readonly seconds: number;
}

type Counts = Record<'conflict' | 'unknown' | 'unavailable' | 'kills' | 'pauses', number>;

const script = fileURLToPath(new URL('mongodb-racer.js', import.meta.url));

/** Runs the processes, disturbs them, and checks the history that they leave. Runs from compiled code only. */
export async function race(plan: Race): Promise<Raced> {
  const acknowledged: string[] = [];
  const counts: Counts = { conflict: 0, unknown: 0, unavailable: 0, kills: 0, pauses: 0 };
  const began = performance.now();
  const place = async (self: number): Promise<void> => {
    // Whoever is killed is replaced, until all that was planned for the place is acknowledged.
    for (let left = plan.appends; left > 0;) left -= await run(plan, self, left, acknowledged, counts);
  };
  await Promise.all(Array.from({ length: plan.processes }, (_, self) => place(self)));
  const seconds = (performance.now() - began) / 1_000;
  const history = await checkHistory(plan.url, plan.database, acknowledged);
  const { conflict: conflicts, unknown, unavailable, kills, pauses } = counts;
  return { ...history, acknowledged: acknowledged.length, conflicts, unknown, unavailable, kills, pauses, seconds };
}

/** One process until its end. Returns how many appends it got acknowledged. */
async function run(plan: Race, self: number, count: number, acknowledged: string[], counts: Counts): Promise<number> {
  const { url, database, lanes, callers, processes, sharing } = plan;
  const args = [script, url, database, lanes, callers, count, self, processes, sharing].map(String);
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit') as Promise<[code: number | null, signal: string | null]>;
  const disturbed = plan.disturb > 0 ? disturb(child, plan.disturb, counts) : Promise.resolve();
  let own = 0;
  for await (const line of createInterface(child.stdout)) {
    const [word = '', ...rest] = line.split(' ');
    // A line that the end of the process cut off was not acknowledged to anyone.
    if (word === 'ack' && rest[2]?.length === 36) own += 1;
    if (word === 'ack' && rest[2]?.length === 36) acknowledged.push(rest.join(' '));
    else if (word in counts) counts[word as keyof Counts] += 1;
  }
  const [code, signal] = await exited;
  await disturbed;
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`a racer ended by itself with ${code ?? signal}`);
  return own;
}

/** Stops the process for a while, again and again, and at last kills it: one disturbance in four is the last. */
async function disturb(child: ChildProcess, mean: number, counts: Counts): Promise<void> {
  for (;;) {
    await pause(mean * (0.5 + Math.random()));
    if (child.exitCode !== null || child.signalCode !== null) return;
    if (Math.random() < 0.25) {
      counts.kills += 1;
      child.kill('SIGKILL');
      return;
    }
    counts.pauses += 1;
    child.kill('SIGSTOP');
    await pause(50 + Math.random() * 400);
    child.kill('SIGCONT');
  }
}
