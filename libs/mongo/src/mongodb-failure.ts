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

interface DriverError {
  readonly name: string;
  readonly code: unknown;
  /** The connection broke while it was being made. */
  readonly beforeHandshake: boolean;
}

/** Judges an error of the driver by its name and code. */
export function failureOf(error: unknown): MongoFailure {
  const { name = '', code, beforeHandshake } = (error ?? {}) as Partial<DriverError>;
  if (code === 11_000) return 'duplicate';
  return unsent.has(name) || beforeHandshake || unconnected(error) ? 'unsent' : 'unknown';
}

function unconnected(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if ((at as { syscall?: unknown }).syscall === 'connect') return true;
  return false;
}
