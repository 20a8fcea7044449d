import { anyOrigin } from '@lyceum/web';
import { createHash } from 'node:crypto';
import { isCompressible, shortest } from './content-coding.ts';

/** A document of a school, ready to be written: nothing is computed when it is asked for. */
export interface Document {
  readonly body: Buffer;
  /** Strong entity tag, with its quotes. */
  readonly etag: string;
  /** Headers of 200 and 304 alike. */
  readonly cacheHeaders: Readonly<Record<string, string>>;
  /** Headers of 200 alone. */
  readonly bodyHeaders: Readonly<Record<string, string | number>>;
}

/** What is said of a document beside its type. */
interface Particulars {
  /** Headers of 200. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long it may be kept; five minutes when not given. */
  readonly cache?: string;
  readonly vary?: string;
}

const readable = anyOrigin(['ETag', 'X-Request-Id']);
const fiveMinutes = 'public, max-age=300';

const isPage = (type: string): boolean => type.startsWith('text/html');
/** A page shares no window with whoever opened it. */
const alone = { 'Cross-Origin-Opener-Policy': 'same-origin' } as const;

/** Prepares a public document, which any origin may read. */
export function document(type: string, text: string, { headers, cache, vary }: Particulars = {}): Document {
  const body = Buffer.from(text);
  const varies = [vary, ...(isCompressible(type) && body.length >= shortest ? ['Accept-Encoding'] : [])];
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  return {
    body,
    etag,
    cacheHeaders: {
      ETag: etag,
      'Cache-Control': cache ?? fiveMinutes,
      ...(varies.some(Boolean) ? { Vary: varies.filter(Boolean).join(', ') } : {}),
      ...readable,
    },
    bodyHeaders: { 'Content-Type': type, 'Content-Length': body.length, ...(isPage(type) ? alone : {}), ...headers },
  };
}

/** Prepares a JSON document. */
export const jsonDocument = (value: unknown, type = 'application/json; charset=utf-8'): Document =>
  document(type, JSON.stringify(value));
