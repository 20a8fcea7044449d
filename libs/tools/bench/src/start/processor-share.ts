import { access, mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PeerMissing } from '../measuring/case.ts';

/** Microseconds in which a share is counted: a process that has used its share waits for the next ones. */
const period = 20_000;

/** The control groups of Linux that bound processor time: version 1, and version 2. */
const roots = ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup'] as const;

let made = 0;

/**
 * Gives a process no more than a share of one processor, so that more processes than processors can be compared. Resolves
 * to what ends that once the process has ended. Throws `PeerMissing` where this process may not do so.
 * @see https://docs.kernel.org/scheduler/sched-bwc.html
 */
export async function limitProcessor(pid: number, share: number): Promise<() => Promise<void>> {
  const quota = Math.round(share * period);
  try {
    const [first, second] = roots;
    const isFirst = await access(join(first, 'cpu.cfs_quota_us')).then(
      () => true,
      () => false,
    );
    const group = join(isFirst ? first : second, `lyceum-bench-${process.pid}-${(made += 1)}`);
    if (!isFirst) await writeFile(join(second, 'cgroup.subtree_control'), '+cpu');
    await mkdir(group);
    if (isFirst) {
      await writeFile(join(group, 'cpu.cfs_period_us'), String(period));
      await writeFile(join(group, 'cpu.cfs_quota_us'), String(quota));
    } else await writeFile(join(group, 'cpu.max'), `${quota} ${period}`);
    await writeFile(join(group, 'cgroup.procs'), String(pid));
    return () => rmdir(group);
  } catch (cause) {
    throw new PeerMissing('the processor time of a process can be bounded by root on Linux only', { cause });
  }
}
