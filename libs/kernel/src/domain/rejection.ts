/**
 * A command that the current state does not allow. A value, never thrown: only the HTTP shell knows statuses.
 * `rejected` is a snake_case code that stands in the slice's status table; `reason` is one plain sentence for the
 * client developer; `details` name the fields concerned.
 */
export interface Rejection<Code extends string = string> {
  readonly rejected: Code;
  readonly reason: string;
  readonly details?: readonly Detail[];
}

/** One field at fault: `path` is a JSON path such as `prices.0.amount`, `code` a snake_case word. */
export interface Detail {
  readonly path: string;
  readonly code: string;
  readonly message?: string;
}

/** Builds a rejection. */
export function reject<Code extends string>(
  rejected: Code,
  reason: string,
  details?: readonly Detail[],
): Rejection<Code> {
  return details ? { rejected, reason, details } : { rejected, reason };
}

/** Whether a decision is a rejection. */
export function isRejection<T extends object, Code extends string>(
  value: T | Rejection<Code>,
): value is Rejection<Code> {
  return 'rejected' in value;
}
