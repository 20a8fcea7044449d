import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds that a test waits for what follows later. How long it takes is no claim of such a test. */
export const patience = 60_000;

/** Words for what is waited for, or what gives them once it was waited for in vain. */
type What = string | (() => string);

/** Resolves as soon as something holds, by a look every 10 ms. Throws when it does not come about in time. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: What = 'it',
  milliseconds = patience,
): Promise<void> {
  for (const end = performance.now() + milliseconds; !(await holds()); await pause(10))
    if (performance.now() >= end) throw new Error(`${typeof what === 'string' ? what : what()} did not come about`);
}

/** The first that is not undefined of what looks give, one every 10 ms. Throws when none comes in time. */
export async function found<T>(look: () => Promise<T | undefined>, what?: What, milliseconds?: number): Promise<T> {
  let seen: T | undefined;
  await until(async () => (seen = await look()) !== undefined, what, milliseconds);
  return seen as T;
}
