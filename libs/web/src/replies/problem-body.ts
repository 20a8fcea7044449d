import { DocumentsUnavailable } from '@lyceum/documents';
import { EphemeralUnavailable } from '@lyceum/ephemeral';
import {
  CommitTooLarge,
  ConcurrencyConflict,
  IdempotencyMismatch,
  OutcomeUnknown,
  Unavailable,
} from '@lyceum/eventlog';
import { TokenInQuery, TrustAwaited, printable } from '@lyceum/oauth';
import { STATUS_CODES } from 'node:http';
import { type ErrorBody, errorBody } from './error-body.ts';
import { Problem } from './problem.ts';

const unavailable = [Unavailable, EphemeralUnavailable, DocumentsUnavailable];

const retry = { 'Retry-After': '1' } as const;

/**
 * What the client gets to read of anything that was thrown. `pinned`: the request carried a version in If-Match, so a
 * lost race is the client's to resolve. `keyed`: it carried an Idempotency-Key, so that it may be repeated in any case. Whatever is not known here is a 500 that echoes nothing.
 */
export function problemFrom(error: unknown, { pinned = false, keyed = false } = {}): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof ConcurrencyConflict)
    return pinned && !error.stream.startsWith('unique/')
      ? new Problem('precondition_failed', undefined, { cause: error })
      : new Problem('temporarily_unavailable', 'Others were writing to the same thing; retry', {
          headers: retry,
          cause: error,
        });
  if (error instanceof IdempotencyMismatch) return new Problem('idempotency_key_reused', undefined, { cause: error });
  if (error instanceof CommitTooLarge) return new Problem('payload_too_large', undefined, { cause: error });
  if (error instanceof TokenInQuery) return new Problem('invalid_request', error.message);
  if (error instanceof TrustAwaited)
    return new Problem('temporarily_unavailable', error.message, { headers: { 'Retry-After': '5' } });
  if (error instanceof OutcomeUnknown) return outcomeUnknown(error, keyed);
  if (unavailable.some((kind) => error instanceof kind))
    return new Problem('temporarily_unavailable', undefined, { headers: retry, cause: error });
  return new Problem('server_error', undefined, { cause: error });
}

/** Whoever repeats a request without a key may do twice what was done already. */
const outcomeUnknown = (cause: OutcomeUnknown, keyed: boolean): Problem =>
  keyed
    ? new Problem('outcome_unknown', 'It may have been done; repeat the request with the same Idempotency-Key', {
        headers: retry,
        cause,
      })
    : new Problem(
        'outcome_unknown',
        'It may or may not have been done; read it before you send the request again, and use an Idempotency-Key',
        { cause },
      );

interface ProblemDocument extends ErrorBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
}

/** The error body, or a problem document with the same members when the client prefers that. @see RFC 9457 §3 */
export function problemBody(
  problem: Problem,
  requestId: string,
  asProblemDocument: boolean,
): ErrorBody | ProblemDocument {
  const description = printable(problem.message);
  const body = errorBody(problem.code, description, requestId, problem.details);
  if (!asProblemDocument) return body;
  const { status } = problem;
  return { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail: description, ...body };
}
