import type { components } from './api.ts';

/** The body of every error. */
export type ErrorBody = components['schemas']['Error'];

/** What an error may be called. */
export type ErrorCode = ErrorBody['error'];

/** An error of the API, where a value cannot be returned: from iterators and from `valueOf`. */
export class SchoolError extends Error {
  override readonly name = 'SchoolError';
  readonly status: number;
  /** The code of the error table; undefined when something else than the school answered. */
  readonly code: ErrorCode | undefined;
  readonly body: ErrorBody | undefined;

  constructor(status: number, body: unknown) {
    const known = isErrorBody(body) ? body : undefined;
    super(known ? `${known.error}: ${known.error_description}` : `the school answered ${status}`);
    this.status = status;
    this.body = known;
    this.code = known?.error;
  }
}

/** Whether a value is an error body, of this code when one is given. */
export const isErrorBody = (value: unknown, code?: ErrorCode): value is ErrorBody =>
  typeof value === 'object' &&
  value !== null &&
  'error' in value &&
  typeof value.error === 'string' &&
  'error_description' in value &&
  (code === undefined || value.error === code);

/** The answer itself, where an error is nothing to go on with. Throws `SchoolError`. */
export function valueOf<Data>(answer: { data?: Data | undefined; error?: unknown; response: Response }): Data {
  if (answer.data === undefined || answer.error !== undefined)
    throw new SchoolError(answer.response.status, answer.error);
  return answer.data;
}
