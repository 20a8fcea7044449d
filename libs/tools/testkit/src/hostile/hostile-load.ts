import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../system/system.ts';
import { allWays } from './all-ways.ts';
import type { HostileSchool } from './hostile-school.ts';
import type { LoadOrder } from './load-process.ts';

/** A school under load. */
export interface HostileLoad {
  /** Ends it; how often each status was answered, by the name of the way. */
  end(): Promise<Record<string, Record<string, number>>>;
}

/** Loads a school from another process, in all ways or in those of these names, with all callers or a share of them. */
export async function hostileLoad(
  school: HostileSchool,
  { names = allWays.map(({ name }) => name), share = 1 }: Partial<Omit<LoadOrder, 'school'>> = {},
): Promise<HostileLoad> {
  const child = fork(join(root, 'libs/tools/testkit/dist/hostile/load-process.js'), { stdio: 'inherit' });
  const order: LoadOrder = { school, names, share };
  child.send(order);
  await once(child, 'message');
  return {
    async end() {
      const told = once(child, 'message');
      const gone = once(child, 'exit');
      child.send('end');
      const [answers] = (await told) as [Record<string, Record<string, number>>];
      await gone;
      return answers;
    },
  };
}
