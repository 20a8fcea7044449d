import { setTimeout as delay } from 'node:timers/promises';
import type { Demo } from '@lyceum/service';
import type { Assembly } from './assembly.ts';
import type { BackgroundWork } from './background-work.ts';

/** Milliseconds in which services that start beside this one are there, and those between two tries: at first, and at most. */
const [patience, pause, longest] = [600_000, 500, 10_000];

/**
 * The history of the demo schools as work in the background, service by service; undefined where the settings leave it out.
 * `completed` is called once all of it is there.
 */
export function demoHistory(
  assembly: Assembly,
  services: readonly string[],
  demo: Demo,
  completed: () => Promise<unknown> = () => Promise.resolve(),
): BackgroundWork | undefined {
  if (assembly.settings.DEMO_HISTORY === 'false') return undefined;
  return {
    title: 'The history of the demo schools',
    async perform(signal) {
      const began = performance.now();
      for (const name of services) {
        await repeated(() => assembly.module(name)?.seedDemoHistory?.(demo), began + patience, signal);
        if (signal.aborted) return;
      }
      await completed();
    },
  };
}

/** What happened in one service follows from what others know, which may be away: it is idempotent, and tried again. */
async function repeated(work: () => Promise<void> | undefined, until: number, signal: AbortSignal): Promise<void> {
  for (let wait = pause; ; wait = Math.min(wait * 2, longest)) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || performance.now() > until) throw error;
    }
    await delay(wait, undefined, { signal });
  }
}
