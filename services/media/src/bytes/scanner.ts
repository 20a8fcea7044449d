import type { Readable } from 'node:stream';
import { z } from 'zod';

/** What a scanner says of a file. */
const verdict = z.object({ clean: z.boolean(), reason: z.string().max(500).optional() });

/** What a scanner says of a file, after parsing. */
export type Verdict = z.output<typeof verdict>;

/** Milliseconds that a scanner may take for one file. */
const patience = 600_000;

/**
 * Asks a scanner about bytes: they are the body of a POST, and the answer is 200 with `{"clean": true}`, or with
 * `{"clean": false, "reason": "…"}`. Throws for every other answer and when there is none. The address is the operator's, who
 * may have it anywhere; it is not followed elsewhere.
 */
export async function askScanner(url: string, bytes: Readable, size: number, type: string): Promise<Verdict> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': type, 'content-length': String(size) },
    body: bytes as unknown as ReadableStream,
    duplex: 'half',
    redirect: 'error',
    signal: AbortSignal.timeout(patience),
  } as RequestInit);
  if (response.status !== 200) throw new Error(`the scanner answered ${response.status}`);
  return verdict.parse(await response.json());
}
