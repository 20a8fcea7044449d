import { messageOf } from '@lyceum/kernel';
import { readFile, readdir } from 'node:fs/promises';
import { PeerMissing } from './case.ts';

/** What a process has used up to now. */
export interface Usage {
  /** Processor time of its threads, in microseconds. */
  readonly cpu: number;
  /** Resident memory. */
  readonly megabytes: number;
}

/** What another process has used, as Linux tells. Throws `PeerMissing` elsewhere. */
export async function usageOf(pid: number): Promise<Usage> {
  const folder = `/proc/${pid}`;
  try {
    const threads = await readdir(`${folder}/task`);
    const spent = await Promise.all(
      threads.map(async (thread) =>
        Number((await readFile(`${folder}/task/${thread}/schedstat`, 'utf8')).split(' ')[0]),
      ),
    );
    const pages = Number((await readFile(`${folder}/statm`, 'utf8')).split(' ')[1]);
    return { cpu: spent.reduce((sum, each) => sum + each, 0) / 1_000, megabytes: (pages * 4_096) / 1e6 };
  } catch (error) {
    throw new PeerMissing(`the usage of process ${pid} cannot be read here: ${messageOf(error)}`);
  }
}

/** What several have used together. */
export const usageTogether = (usages: readonly Usage[]): Usage => ({
  cpu: usages.reduce((sum, { cpu }) => sum + cpu, 0),
  megabytes: usages.reduce((sum, { megabytes }) => sum + megabytes, 0),
});
