import { setTimeout as pause } from 'node:timers/promises';
import { fold } from '@lyceum/eventlog';
import type { Ports } from '@lyceum/web';
import { registrationDecider } from '../registrations/registration.ts';
import type { Decided } from './registration.write.ts';

/** Milliseconds between two looks. */
const [first, later] = [5, 50];

/** The registration once it is known whether there is a seat, or as it is when the caller would wait no longer. */
export async function settledRegistration(
  { log }: Pick<Ports, 'log'>,
  school: string,
  found: Decided,
  wait: number,
): Promise<Decided> {
  let now = found;
  // Time that passes for the caller, whatever the clock of the domain says.
  const end = performance.now() + wait;
  for (let rest = first; now.state.status === 'pending' && performance.now() < end; rest = Math.min(rest * 2, later)) {
    await pause(rest);
    const { state, ...read } = await fold(log, registrationDecider, school, found.stream);
    if (state) now = { ...read, stream: found.stream, state };
  }
  return now;
}
