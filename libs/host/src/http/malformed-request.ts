import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorCode, errors } from '@lyceum/contracts';
import { answerError, errorBody } from '@lyceum/web';

const meanings: Readonly<Record<string, [status: number, code: ErrorCode, description: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'invalid_request', 'The headers are larger than this server reads'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'invalid_request', 'The request did not come in time'],
};

/**
 * Answers a request whose head cannot be read, as far as the connection still stands, in the shape of every other error,
 * and ends the connection: where the next request begins is not known.
 * @see RFC 9112 §2.2, RFC 6585 §5
 */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, code, description] = meanings[error.code ?? ''] ?? [
    errors.invalid_request.status,
    'invalid_request' as const,
    'The request is not HTTP/1.1 as this server reads it',
  ];
  const request_id = `req_${randomUUID()}`;
  const body = JSON.stringify(errorBody(code, description, request_id));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${request_id}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Whether a request lacks the Host header that HTTP/1.1 requires. @see RFC 9112 §3.2 */
export const lacksHost = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.1' && headers.host === undefined;

/** Answers a request that has no Host header, in the shape of every other error, and ends the connection. */
export const answerHostless = (response: ServerResponse): void =>
  answerError(response, 'invalid_request', `req_${randomUUID()}`, {
    description: 'The Host header is missing',
    headers: { connection: 'close', 'x-content-type-options': 'nosniff' },
  });
