/** Milliseconds that an operation may take when nothing else is said. */
const patience = 5_000;

/** Options for any operation of the driver. */
export interface InTime {
  readonly signal: AbortSignal;
  /** Every operation's options have it, not all of them name the signal that all of them heed. */
  readonly comment?: string;
}

/**
 * Ends an operation that takes longer than so many milliseconds, and its connection with it; what it was to write is
 * unknown then. To be given to every operation: without it, the driver waits for ever when a connection breaks between its
 * being taken from the pool and its being written to (its own time limits are on the socket, which is gone).
 */
export const inTime = (milliseconds: number = patience): InTime => ({ signal: AbortSignal.timeout(milliseconds) });
