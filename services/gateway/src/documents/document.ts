import { createHash } from 'node:crypto';

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

/** Prepares a public document: any origin may read it, and it may be kept for five minutes. */
export function document(type: string, text: string, more: Readonly<Record<string, string>> = {}): Document {
  const body = Buffer.from(text);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  return {
    body,
    etag,
    cacheHeaders: {
      ETag: etag,
      'Cache-Control': 'public, max-age=300',
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'ETag, X-Request-Id',
    },
    bodyHeaders: { 'Content-Type': type, 'Content-Length': body.length, ...more },
  };
}

/** Prepares a JSON document. */
export const jsonDocument = (value: unknown): Document =>
  document('application/json; charset=utf-8', JSON.stringify(value));
