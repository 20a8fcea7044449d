import { Session } from 'node:inspector/promises';

/** Milliseconds after a start in which the first requests go before. */
const afterStart = 5_000;

/** Collects what nobody needs any more, all at once: it takes some hundred milliseconds in which nothing else is done. */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage').finally(() => session.disconnect());
}

/**
 * Gives back what only a start has needed, which is a third of the heap: V8 itself waits for far more. For a process on a
 * machine that has other things to do, as with the demo; not for one under load.
 */
export const giveBackAfterStart = (): void =>
  void setTimeout(() => void collectGarbage().catch(() => undefined), afterStart).unref();
