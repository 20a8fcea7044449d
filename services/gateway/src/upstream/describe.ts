import { type Peer, serviceTokenHeader } from '@lyceum/internal-api';
import type { AnswerHead } from './wire/answer-head.ts';
import type { ConnectionPool } from './wire/connection-pool.ts';
import type { Receiver } from './wire/exchange.ts';

/** The most that a description may be, in bytes, and take, in milliseconds. */
const [largest, longest] = [16 * 1024 * 1024, 10_000];

/** A service's own OpenAPI document, of the first instance that gives it. Throws when none does. */
export async function describe(
  { name, token, urls }: Peer,
  pools: readonly ConnectionPool[],
): Promise<Record<string, unknown>> {
  let failure: unknown;
  for (const [index, pool] of pools.entries())
    try {
      const { host } = new URL(urls[index]!);
      const head = `GET /internal/openapi/${name} HTTP/1.1\r\nhost: ${host}\r\n${serviceTokenHeader}: ${token}\r\n\r\n`;
      const { status, text } = await whole(pool, head);
      if (status === 200) return JSON.parse(text) as Record<string, unknown>;
      failure = new Error(`it answers ${status}`);
    } catch (error) {
      failure = error;
    }
  throw new Error(`the ${name} service does not describe itself`, { cause: failure });
}

interface Whole {
  readonly status: number;
  readonly text: string;
}

/** Asks once, and gathers the answer. */
function whole(pool: ConnectionPool, head: string): Promise<Whole> {
  return new Promise((resolve, reject) => {
    let [status, size] = [0, 0];
    const pieces: Buffer[] = [];
    const receiver: Receiver = {
      sent: () => undefined,
      answered(answer: AnswerHead, body) {
        status = answer.status;
        if (body !== undefined) pieces.push(Buffer.from(body, 'latin1'));
      },
      received(piece) {
        pieces.push(piece);
        size += piece.length;
        if (size > largest) throw new Error('its description is too large');
      },
      ended() {
        clearTimeout(late);
        resolve({ status, text: Buffer.concat(pieces).toString() });
      },
      failed(error) {
        clearTimeout(late);
        reject(error);
      },
    };
    const sending = pool.send({ method: 'GET', head, body: null, length: undefined }, receiver);
    const late = setTimeout(() => sending.abort(new Error('its description takes too long')), longest);
  });
}
