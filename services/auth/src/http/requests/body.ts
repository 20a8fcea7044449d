import { Problem, readBytes } from '@lyceum/web';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Parameters } from '../exchange/parameters.ts';

/** Largest body of an OAuth endpoint or form, in bytes. */
const bodyLimit = 64 * 1024;

const tooLarge = () =>
  new Problem('payload_too_large', `The body is larger than ${bodyLimit} bytes`, { headers: { Connection: 'close' } });

/**
 * Reads a body as text of at most 64 KiB. Throws `payload_too_large`, or `invalid_request` when it has a content coding or
 * is not UTF-8.
 * @see RFC 9110 §8.4
 */
async function readText(request: IncomingMessage): Promise<string> {
  if ((request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    throw new Problem('invalid_request', 'Send the body without Content-Encoding', {
      headers: { Connection: 'close' },
    });
  const body = await readBytes(request, bodyLimit, tooLarge);
  if (!isUtf8(body)) throw new Problem('invalid_request', 'The body is not UTF-8');
  // A byte order mark is no part of the text. @see RFC 8259 §8.1
  return body.toString('utf8').replace(/^\uFEFF/, '');
}

const mediaType = (request: IncomingMessage): string =>
  (request.headers['content-type'] ?? '').replace(/;.*/s, '').trim().toLowerCase();

/** Whether the request carries a form. */
export const isForm = (request: IncomingMessage): boolean => mediaType(request) === 'application/x-www-form-urlencoded';

/**
 * Reads a form body. Throws `invalid_request` for another media type.
 * @see RFC 6749 §3.2, Appendix B
 */
export async function readForm(request: IncomingMessage): Promise<Parameters> {
  if (!isForm(request))
    throw new Problem('invalid_request', 'The body must be application/x-www-form-urlencoded', {
      headers: { Connection: 'close' },
    });
  return Parameters.parse(await readText(request));
}

/** Reads a JSON object. Throws `invalid_request` for another media type and for anything that is not an object. */
export async function readJsonObject(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  if (mediaType(request) !== 'application/json')
    throw new Problem('invalid_request', 'The body must be application/json', { headers: { Connection: 'close' } });
  const text = await readText(request);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Problem('invalid_request', 'The body is not valid JSON', { cause: error });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Problem('invalid_request', 'The body must be a JSON object');
  return value as Record<string, unknown>;
}
