import { randomFillSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Span } from '@lyceum/kernel';
import { traceIdOf } from '@lyceum/web';

/** What a request goes on under. */
export interface Trace {
  readonly id: string;
  /** The header that says so, when the client sent none that is valid. `tracestate` then means nothing. */
  readonly begun?: string;
  /** Where traces are told of. */
  readonly span?: Span;
}

// Asking the system for 24 bytes costs as much as asking for many.
const pool = Buffer.alloc(24 * 256);
let used = pool.length;

/** A new `traceparent`: of this version, not sampled by anybody. @see W3C Trace Context §3.2 */
export function beginTrace(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const hex = pool.toString('hex', used, (used += 24));
  return `00-${hex.slice(0, 32)}-${hex.slice(32)}-00`;
}

/** The trace of a request: the client's when it names a valid one, else a new one. @see W3C Trace Context §4.3 */
export function traceOf({ headers }: IncomingMessage, begin: () => string): Trace {
  const id = traceIdOf(headers['traceparent']);
  if (id !== undefined) return { id };
  const begun = begin();
  return { id: begun.slice(3, 35), begun };
}
