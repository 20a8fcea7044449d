import { type ErrorCode, errors } from '@lyceum/contracts';
import type { Detail } from '@lyceum/kernel';

/**
 * An error that the client gets to read: its status comes from the error table. `message` is public; the private cause
 * goes to the log only.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly code: ErrorCode;
  readonly details: readonly Detail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    description: string = errors[code].means,
    more: {
      readonly details?: readonly Detail[] | undefined;
      readonly headers?: Readonly<Record<string, string>>;
      readonly cause?: unknown;
    } = {},
  ) {
    super(description, { cause: more.cause });
    this.code = code;
    this.status = errors[code].status;
    this.details = more.details;
    this.headers = more.headers ?? {};
  }
}
