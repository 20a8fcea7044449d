import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PeerMissing } from '../measuring/case.ts';

/** Where the controller of processor time of cgroups v1 is. */
const controller = '/sys/fs/cgroup/cpu';

/** Microseconds of a period: short beside all that a process waits for. */
const period = 20_000;

/** A bound on the processor time of one process. */
export interface ProcessorShare {
  take(pid: number): void;
  /** The process must have ended. */
  close(): void;
}

/**
 * Gives processes a part of one processor each, so that several of them measure what more machines would do. Throws
 * `PeerMissing` where this process may not make cgroups.
 */
export function processorShare(name: string, share: number): ProcessorShare {
  const folder = join(controller, name);
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, 'cpu.cfs_period_us'), String(period));
    writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(Math.round(period * share)));
  } catch (cause) {
    throw new PeerMissing(`${folder} cannot be made: run it as root, where cgroups v1 have the controller cpu`, {
      cause,
    });
  }
  return {
    take: (pid) => writeFileSync(join(folder, 'cgroup.procs'), String(pid)),
    close: () => rmdirSync(folder),
  };
}
