import type { Answer } from '@lyceum/testkit';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The outcome as soon as it is as it should be, or the last one when the lag is over, milliseconds. With a lag of 0 there
 * is one try: what happened is in force at once.
 */
export async function inForce<T>(lag: number, ask: () => Promise<T>, holds: (outcome: T) => boolean): Promise<T> {
  for (const began = performance.now(); ; await sleep(5)) {
    const asked = performance.now() - began;
    const outcome = await ask();
    if (holds(outcome) || asked >= lag) return outcome;
  }
}

/** For `inForce`: an answer with this status. */
export const hasStatus =
  (status: number) =>
  (answer: Answer): boolean =>
    answer.status === status;
