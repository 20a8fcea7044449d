import type { IncomingMessage } from 'node:http';
import { Problem } from '../replies/problem.ts';

const none = Buffer.alloc(0);

/**
 * Reads the bytes of a body. Throws what `tooLarge` gives for more than `limit` bytes, and `invalid_request` when the body ends
 * early. By the events of the stream: to iterate over it takes four times as long for the one chunk that most bodies have.
 */
export async function readBytes(request: IncomingMessage, limit: number, tooLarge: () => Error): Promise<Buffer> {
  const { 'content-length': given, 'transfer-encoding': coding } = request.headers;
  const length = Number(given ?? 0);
  if (length > limit) throw tooLarge();
  if (length === 0 && coding === undefined) return none;
  // Most bodies come with their head: what is there need not be waited for.
  const isHere = length > 0 && request.readableLength === length && !request.destroyed;
  const whole: unknown = isHere ? request.read() : undefined;
  if (!Buffer.isBuffer(whole)) return arriving(request, limit, tooLarge);
  request.resume();
  return whole;
}

const arriving = (request: IncomingMessage, limit: number, tooLarge: () => Error): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const endedEarly = (cause?: unknown) => reject(new Problem('invalid_request', 'The body ended early', { cause }));
    if (request.destroyed) return endedEarly();
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // What still comes is passed over until the connection closes.
      if (size > limit) reject(tooLarge());
      else chunks.push(chunk);
    });
    request.once('end', () => {
      request.off('close', endedEarly);
      const [first = none, ...rest] = chunks;
      resolve(rest.length === 0 ? first : Buffer.concat(chunks));
    });
    request.once('error', endedEarly);
    request.once('close', endedEarly);
  });
