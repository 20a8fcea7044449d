import type { IncomingMessage } from 'node:http';
import { schoolHeader } from '@lyceum/contracts';
import { serviceTokenHeader } from '@lyceum/internal-api';
import { byHeaderName } from '../http/header-name-cache.ts';
import type { AnswerHead } from './wire/answer-head.ts';
import type { OutgoingMessage } from './wire/exchange.ts';

/** The connection to the service is ours: its framing and its manners are chosen anew. */
const ownToEachConnection = ['transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'expect', 'te', 'trailer'];

const useOf = byHeaderName((name) => ({
  isPassed: !ownToEachConnection.includes(name),
  isLength: name === 'content-length',
}));

/** Methods whose body means nothing. */
const bodiless = new Set(['GET', 'HEAD', 'OPTIONS']);

const unfitPath = /[^\x21-\x7e\x80-\xff]/;
const unfitValue = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Makes the message for a service of a sanitised request. The body is passed on as it comes, as fast as the service takes
 * it. Throws when a part of the request would break out of its line.
 */
export function outgoing(request: IncomingMessage, token: string): OutgoingMessage {
  const { method = 'GET', url: path = '/', headers, rawHeaders } = request;
  const announced = headers['content-length'];
  const hasBody = !bodiless.has(method) && (headers['transfer-encoding'] !== undefined || Number(announced ?? 0) > 0);
  if (unfitPath.test(path)) throw new TypeError('The path holds a character that is not allowed');
  let school: string | undefined;
  let head = `${method} ${path} HTTP/1.1\r\n`;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [raw, value] = [rawHeaders[index]!, rawHeaders[index + 1]!];
    const { isPassed, isLength } = useOf(raw);
    if (!isPassed || (isLength && !hasBody)) continue;
    // Nobody but us can have said this.
    if (raw === schoolHeader) school = value;
    if (unfitValue.test(value)) throw new TypeError(`The header ${raw} holds a character that is not allowed`);
    head += `${raw}: ${value}\r\n`;
  }
  const length = hasBody && announced !== undefined ? Number(announced) : undefined;
  const framing = hasBody && length === undefined ? 'transfer-encoding: chunked\r\n' : '';
  return {
    method,
    head: `${head}${framing}${serviceTokenHeader}: ${token}\r\n\r\n`,
    body: hasBody ? request : null,
    length,
    school,
  };
}

/** The client ended before its request did. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** Headers of an answer, where the service does not say otherwise: name in small letters, value, name, value. */
export type Standing = readonly string[];

/** The headers of an answer, name, value, name, value: those of the service, and those that stand. */
export function passedOn({ headers }: AnswerHead, standing: Standing): string[] {
  const { length } = headers;
  for (let index = 0; index < standing.length; index += 2)
    if (!says(headers, length, standing[index]!)) headers.push(standing[index]!, standing[index + 1]!);
  return headers;
}

function says(headers: readonly string[], length: number, name: string): boolean {
  for (let index = 0; index < length; index += 2) if (headers[index] === name) return true;
  return false;
}
