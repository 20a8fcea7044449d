import { afterEach } from '@jest/globals';
import { type System, startSystem } from '@lyceum/testkit';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a suite starts and fills by itself. */
interface OwnSystems {
  /** Those that are started, oldest first; whoever stops one by itself takes it out. */
  readonly systems: System[];
  start(options?: Parameters<typeof startSystem>[0]): Promise<System>;
  /** A new folder. */
  folder(): Promise<string>;
}

/** Systems and folders of the test that asks for them: stopped and removed after it. To be called in a `describe`. */
export function ownSystems(): OwnSystems {
  const systems: System[] = [];
  const folders: string[] = [];
  afterEach(async () => {
    for (const system of systems.splice(0)) await system.stop();
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
  });
  return {
    systems,
    async start(options) {
      const system = await startSystem(options);
      systems.push(system);
      return system;
    },
    async folder() {
      const made = await mkdtemp(join(tmpdir(), 'lyceum-system-'));
      folders.push(made);
      return made;
    },
  };
}
