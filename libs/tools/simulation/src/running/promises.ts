import { createRequire } from 'node:module';

/** Node's own, taken before the simulation puts its timers in their place. */
const turn = globalThis.setImmediate;

interface Inside {
  runMicrotasks(): void;
  /** Whether `nextTick` has work, and whether a promise was rejected that nobody has looked at yet. */
  readonly tickInfo: readonly [number, number];
}

/** How Node itself drains promises; undefined in a process that was started without `--expose-internals`. */
function inside(): Inside | undefined {
  if (!process.execArgv.includes('--expose-internals')) return undefined;
  const { internalBinding } = createRequire(import.meta.url)('internal/test/binding') as {
    internalBinding(name: string): Inside;
  };
  return internalBinding('task_queue');
}

/** Steps between two turns of the event loop at most. */
const most = 1_000;

/**
 * Does one step after the other until one returns false; every promise that can go on does so before the next step. A turn
 * of the event loop takes longer than most steps, so there is one only where something needs it: among these are promises
 * that were rejected and that nobody handles, so they are reported after the same step as ever.
 */
export function everyStep(step: () => boolean): Promise<void> {
  const node = inside();
  return new Promise((resolve, reject) => {
    const steps = (): void => {
      try {
        for (let left = node ? most : 1; left > 0; left -= 1) {
          if (!step()) return resolve();
          node?.runMicrotasks();
          if (node && (node.tickInfo[0] === 1 || node.tickInfo[1] === 1)) break;
        }
        turn(steps);
      } catch (error) {
        reject(error as Error);
      }
    };
    turn(steps);
  });
}
