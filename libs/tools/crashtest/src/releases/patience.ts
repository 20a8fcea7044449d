import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds in which what happened in one process has to be in force in all, on a busy machine. */
export const lag = 30_000;

/** Asks until the outcome is as it should be, at most for a time; the last outcome either way. An error is one as well. */
export async function until<T>(
  ask: () => Promise<T>,
  holds: (outcome: T) => boolean,
  patience = lag,
): Promise<{ readonly held: boolean; readonly outcome: T | undefined; readonly error: unknown }> {
  for (const began = Date.now(); ; await sleep(100)) {
    let outcome: T | undefined;
    let error: unknown;
    try {
      outcome = await ask();
      if (holds(outcome)) return { held: true, outcome, error };
    } catch (caught) {
      error = caught;
    }
    if (Date.now() - began > patience) return { held: false, outcome, error };
  }
}
