import type { Answer } from '@lyceum/testkit';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The answer as soon as it has the status, or the last one when the lag is over. With a lag of 0 there is one try: what
 * happened is in force at once.
 */
export async function inForce(lag: number, ask: () => Promise<Answer>, status: number): Promise<Answer> {
  for (const began = performance.now(); ; await sleep(5)) {
    const asked = performance.now() - began;
    const answer = await ask();
    if (answer.status === status || asked >= lag) return answer;
  }
}
