import { messageOf } from '@lyceum/kernel';
import { readFile, readdir } from 'node:fs/promises';
import { PeerMissing } from './case.ts';
import { type Usage, usageTogether } from './process-usage.ts';

interface ProcessState {
  readonly pid: number;
  readonly parent: number;
  readonly usage: Usage;
}

/** Linux tells the processor time of a process in hundredths of a second. */
const microsecondsOfTick = 10_000;

/**
 * What a process and all that it started have used up to now, with threads and processes that have ended since. Processor
 * time comes in steps of 10 ms; memory that processes share is counted for each. Throws `PeerMissing` where there is no Linux.
 */
export async function usageOfTree(pid: number): Promise<Usage> {
  const tree = await treeOf(pid);
  if (tree.length === 0) throw new PeerMissing(`the process ${pid} has ended`);
  return usageTogether(tree.map(({ usage }) => usage));
}

/** The ids of a process and of all that it started, parents first. Empty when it has ended. */
export const processTree = async (pid: number): Promise<readonly number[]> =>
  (await treeOf(pid)).map((each) => each.pid);

async function treeOf(pid: number): Promise<readonly ProcessState[]> {
  const all = await running();
  const tree = all.filter((each) => each.pid === pid);
  for (const parent of tree) tree.push(...all.filter((each) => each.parent === parent.pid));
  return tree;
}

async function running(): Promise<readonly ProcessState[]> {
  const names = await readdir('/proc').catch((error: unknown) => {
    throw new PeerMissing(`processes cannot be seen here: ${messageOf(error)}`);
  });
  const pids = names.map(Number).filter((pid) => pid > 0);
  const states = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      return line === '' ? [] : [stateIn(line)];
    }),
  );
  return states.flat();
}

/** Reads a line of `/proc/<pid>/stat`, proc_pid_stat(5). The name of the program may hold spaces and parentheses. */
export function stateIn(line: string): ProcessState {
  const [, parent, ...rest] = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user, system, usersOfEnded, systemOfEnded] = rest.slice(9, 13);
  const ticks = user! + system! + usersOfEnded! + systemOfEnded!;
  const usage = { cpu: ticks * microsecondsOfTick, megabytes: (rest[19]! * 4_096) / 1e6 };
  return { pid: Number.parseInt(line, 10), parent: parent!, usage };
}
