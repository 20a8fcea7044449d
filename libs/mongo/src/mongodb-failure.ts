/**
 * What a failed operation means for what it was to write. `duplicate`: another document has the key, so nothing from that
 * document on is written. `unsent`: it never left this process. `unknown`: it may be written, now or a little later.
 */
export type MongoFailure = 'duplicate' | 'unsent' | 'unknown';

/** Names of driver errors that come before anything is sent. Pools cleared under a running operation are not among them. */
const unsent = new Set([
  'MongoServerSelectionError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
]);

/** Judges an error of the driver by its name and code. */
export function failureOf(error: unknown): MongoFailure {
  const { name = '', code } = (error ?? {}) as { readonly name?: string; readonly code?: unknown };
  if (code === 11_000) return 'duplicate';
  return unsent.has(name) || refused(error) ? 'unsent' : 'unknown';
}

function refused(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if ((at as { code?: unknown }).code === 'ECONNREFUSED') return true;
  return false;
}
