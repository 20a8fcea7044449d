import type { ServerResponse } from 'node:http';
import { type ErrorCode, errors } from '@lyceum/contracts';
import { errorBody } from '../replies/error-body.ts';

/** Answers with JSON, unless the response has begun. */
export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(text);
}

/** Answers with an error of the table. */
export function answerError(
  response: ServerResponse,
  code: ErrorCode,
  requestId: string,
  more: {
    readonly description?: string | undefined;
    /** The status where it is not that of the code. */
    readonly status?: number | undefined;
    readonly headers?: Readonly<Record<string, string>>;
    readonly details?: readonly unknown[];
  } = {},
): void {
  const body = errorBody(code, more.description ?? errors[code].means, requestId, more.details);
  answerJson(response, more.status ?? errors[code].status, body, { 'x-request-id': requestId, ...more.headers });
}

/** Sets headers of an answer that is not written yet: name, value, name, value. */
export function setHeaders(response: ServerResponse, list: readonly string[]): void {
  forEachHeader(list, (name, value) => response.setHeader(name, value));
}

/** Calls `visit` for each header of a list: name, value, name, value. */
export function forEachHeader(list: readonly string[], visit: (name: string, value: string) => void): void {
  for (let index = 0; index < list.length; index += 2) visit(list[index]!, list[index + 1]!);
}
