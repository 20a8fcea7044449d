import { type Exchange, wired } from '../http/exchange.ts';
import { readBytes } from './read-bytes.ts';
import { Problem } from '../replies/problem.ts';

/** Largest body that an operation reads. Bytes. */
export const defaultBodyLimit = 256 * 1024;

const json = /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const tooLarge = (): Problem => new Problem('payload_too_large', undefined, { headers: { Connection: 'close' } });

/** Reads a body as text; '' when there is none. 413 above `limit` bytes, 415 when it is not JSON, 400 when not UTF-8. */
export async function readBody(exchange: Exchange, limit: number): Promise<string> {
  if (exchange.isLocal) return withinLimit(exchange.sent ?? '', limit);
  const request = wired(exchange).req;
  const { 'content-type': type, 'content-encoding': encoding } = request.headers;
  const body = await readBytes(request, limit, tooLarge);
  if (body.length === 0) return '';
  if (!json.test(type ?? '') || (encoding !== undefined && encoding !== 'identity'))
    throw new Problem(
      'unsupported_media_type',
      'Send the body as JSON: Content-Type: application/json, UTF-8, without Content-Encoding',
    );
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body);
  } catch (error) {
    throw new Problem('invalid_request', 'The body is not UTF-8', { cause: error });
  }
}

function withinLimit(text: string, limit: number): string {
  if (Buffer.byteLength(text) > limit) throw tooLarge();
  return text;
}

/** Parses JSON text; undefined for an empty body. */
export function parseJson(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem('invalid_request', 'The body is not valid JSON', { cause: error });
  }
}
