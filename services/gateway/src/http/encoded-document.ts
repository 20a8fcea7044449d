import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Document } from './document.ts';
import { type Coding, isCompressible, shortest } from './content-coding.ts';

/** A document is compressed once and sent often: better than a response that is compressed as it is sent. */
const encode: Readonly<Record<Coding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (body) => promisify(gzip)(body, { level: 7 }),
};

const coded = new WeakMap<Document, Partial<Record<Coding, Promise<Document>>>>();

/** The document in a coding, made when it is first asked for and kept as long as the document. A short one is itself. */
export function inCoding(document: Document, coding: Coding): Document | Promise<Document> {
  const { body, bodyHeaders } = document;
  if (body.length < shortest || !isCompressible(String(bodyHeaders['Content-Type']))) return document;
  const known = coded.get(document) ?? {};
  coded.set(document, known);
  return (known[coding] ??= made(document, coding));
}

async function made(document: Document, coding: Coding): Promise<Document> {
  const body = await encode[coding](document.body);
  const etag = tagIn(document.etag, coding);
  return {
    body,
    etag,
    cacheHeaders: { ...document.cacheHeaders, ETag: etag },
    bodyHeaders: { ...document.bodyHeaders, 'Content-Encoding': coding, 'Content-Length': body.length },
  };
}

/** A strong tag names bytes, so each coding has its own. @see RFC 9110 §8.8.3.3 */
const tagIn = (etag: string, coding: Coding): string => `${etag.slice(0, -1)}-${coding}"`;

/** The tags under which a client may have the document: whichever it has is what the document says now. */
export const tagsOf = ({ etag }: Document): readonly string[] => [etag, tagIn(etag, 'br'), tagIn(etag, 'gzip')];
