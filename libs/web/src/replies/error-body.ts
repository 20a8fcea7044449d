import type { ErrorCode } from '@lyceum/contracts';

/** The body of an error. */
export interface ErrorBody {
  readonly error: ErrorCode;
  readonly error_description: string;
  readonly details?: readonly unknown[];
  readonly request_id: string;
}

/** The body of every error: the shape of RFC 6749, and the id of the request. @see RFC 6749 §5.2 */
export const errorBody = (
  error: ErrorCode,
  description: string,
  requestId: string,
  details?: readonly unknown[],
): ErrorBody => ({
  error,
  error_description: description,
  ...(details ? { details } : {}),
  request_id: requestId,
});
