import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PeerMissing } from './case.ts';
import { processTree, usageOfTree } from './process-tree.ts';
import type { Usage } from './process-usage.ts';

/** A program to start, with what it needs. */
export interface PeerStart {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where it works, and where its output is kept. */
  readonly folder: string;
  isReady(): Promise<boolean>;
}

/** A running program, with the processes that it started. */
export interface PeerProgram {
  usage(): Promise<Usage>;
  /** Ends all its processes at once. */
  stop(): Promise<void>;
}

/** Milliseconds that a start may take on a busy machine. */
const patience = 180_000;

/** Starts a program and waits until it is ready. Throws `PeerMissing` where it does not get so. */
export async function startPeer({ name, command, args, env, folder, isReady }: PeerStart): Promise<PeerProgram> {
  const file = join(folder, `${name}.log`);
  const log = openSync(file, 'a');
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env }, stdio: ['ignore', log, log] });
  closeSync(log);
  let ended = false;
  const gone = Promise.race([once(child, 'exit'), once(child, 'error')]).catch(() => []);
  void gone.then(() => (ended = true));
  // A script passes this signal on to the server that it started.
  const abandon = (): boolean => child.kill('SIGTERM');
  process.on('exit', abandon);
  const stop = async (): Promise<void> => {
    process.off('exit', abandon);
    for (const pid of ended ? [] : await processTree(child.pid!)) kill(pid);
    await gone;
  };
  for (const began = Date.now(); !(await isReady()); await sleep(50)) {
    if (!ended && Date.now() - began < patience) continue;
    await stop();
    throw new PeerMissing(`${name} does not start here: ${readFileSync(file, 'utf8').trim().slice(-500)}`);
  }
  return { usage: () => usageOfTree(child.pid!), stop };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** Whether an address is answered with success. */
export const isAnswered = (url: string): Promise<boolean> =>
  fetch(url).then(
    async (answer) => (await answer.arrayBuffer(), answer.ok),
    () => false,
  );
