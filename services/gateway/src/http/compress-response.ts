import { forEachHeader } from '@lyceum/web';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type Transform } from 'node:stream';
import { createBrotliCompress, createGzip } from 'node:zlib';
import { type Coding, brotliOptions, gzipOptions, isCompressible, shortest } from './content-coding.ts';

/**
 * Sends what will be written to a response in a coding, where that is right; whoever writes it notices nothing and is held
 * back as before. Passed as they are: what is coded already, short, not text, or a stream of events; what says
 * `no-transform`; and what has a strong entity tag, which names these very bytes and which writes are conditional on.
 * @see RFC 9110 §8.4, §8.8.1, RFC 9111 §5.2.2.6
 */
export function compress(response: ServerResponse, coding: Coding): void {
  new CodedResponse(response, coding).take();
}

type Callback = (error?: Error | null) => void;
type Chunk = string | Uint8Array;

/** A response's own ways of being written. */
interface Original {
  writeHead(status: number): ServerResponse;
  write(chunk: Chunk, encoding?: BufferEncoding, callback?: Callback): boolean;
  end(chunk?: Chunk, encoding?: BufferEncoding, callback?: Callback): ServerResponse;
}

class CodedResponse {
  readonly #response: ServerResponse;
  readonly #coding: Coding;
  readonly #original: Original;
  #encoder: Transform | undefined;

  constructor(response: ServerResponse, coding: Coding) {
    this.#response = response;
    this.#coding = coding;
    const { writeHead, write, end } = response;
    this.#original = { writeHead: writeHead.bind(response), write: write.bind(response), end: end.bind(response) };
  }

  /** Puts itself between the response and whoever writes it. */
  take(): void {
    const response = this.#response;
    // Node also begins an answer by this method when nobody has called it.
    response.writeHead = ((status: number, reason?: string | OutgoingHttpHeaders, headers?: OutgoingHttpHeaders) =>
      this.#begin(status, typeof reason === 'object' ? reason : headers)) as ServerResponse['writeHead'];
    // What stands for the chunk or the encoding may be the callback: whoever is asked in the end knows.
    response.write = ((...given: Parameters<Original['write']>) => this.#write(...given)) as ServerResponse['write'];
    response.end = ((...given: Parameters<Original['end']>) => this.#end(...given)) as ServerResponse['end'];
  }

  #begin(status: number, given: OutgoingHttpHeaders | readonly string[] = {}): ServerResponse {
    const response = this.#response;
    const headers = isFlat(given) ? byName(given) : given;
    for (const name in headers) if (headers[name] !== undefined) response.setHeader(name, headers[name]);
    if (hasText(response, status)) {
      if (!variesByCoding(response)) response.appendHeader('Vary', 'Accept-Encoding');
      if (isWorthIt(response)) this.#encode();
    }
    return this.#original.writeHead(status);
  }

  #encode(): void {
    const response = this.#response;
    response.removeHeader('Content-Length');
    response.setHeader('Content-Encoding', this.#coding);
    const encoder = this.#coding === 'br' ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions);
    this.#encoder = encoder;
    encoder.on('data', (chunk: Buffer) => {
      if (!this.#original.write(chunk)) encoder.pause();
    });
    encoder.on('end', () => void this.#original.end());
    // Whoever writes hears of the encoder's drains only: at the client's there may be plenty left to encode.
    const emit = response.emit.bind(response);
    response.emit = (event: string, ...given: unknown[]) => {
      if (event !== 'drain') return emit(event, ...given);
      encoder.resume();
      return true;
    };
    encoder.on('drain', () => emit('drain'));
    encoder.on('error', (error) => response.destroy(error));
    response.once('close', () => encoder.destroy());
  }

  #write(...[chunk, encoding, callback]: Parameters<Original['write']>): boolean {
    if (!this.#response.headersSent) this.#begin(this.#response.statusCode);
    return (this.#encoder ?? this.#original).write(chunk, encoding as BufferEncoding, callback);
  }

  #end(...[chunk, encoding, callback]: Parameters<Original['end']>): ServerResponse {
    const response = this.#response;
    if (!response.headersSent) {
      if (isChunk(chunk) && !response.hasHeader('Content-Length'))
        response.setHeader(
          'Content-Length',
          Buffer.byteLength(chunk, typeof encoding === 'string' ? encoding : 'utf8'),
        );
      this.#begin(response.statusCode);
    }
    if (!this.#encoder) this.#original.end(chunk, encoding, callback);
    else if (!this.#encoder.writableEnded) this.#encoder.end(chunk, encoding as BufferEncoding, callback);
    return response;
  }
}

const isFlat = (headers: OutgoingHttpHeaders | readonly string[]): headers is readonly string[] =>
  Array.isArray(headers);

/** Headers as name, value, name, value, by name; those that come several times are lists. */
function byName(flat: readonly string[]): OutgoingHttpHeaders {
  const headers: Record<string, string | string[]> = {};
  forEachHeader(flat, (name, value) => {
    const before = headers[name];
    headers[name] = before === undefined ? value : [before, value].flat();
  });
  return headers;
}

const isChunk = (chunk: unknown): chunk is Chunk => typeof chunk === 'string' || chunk instanceof Uint8Array;

/** Whether there is an answer of text at all, so that its form depends on what the client accepts. */
const hasText = (response: ServerResponse, status: number): boolean =>
  status >= 200 &&
  ![204, 206, 304].includes(status) &&
  response.req.method !== 'HEAD' &&
  isCompressible(String(response.getHeader('Content-Type') ?? '')) &&
  !response.hasHeader('Content-Encoding');

const variesByCoding = (response: ServerResponse): boolean =>
  /(?:^|[\s,])(?:accept-encoding|\*)(?:$|[\s,])/i.test(String(response.getHeader('Vary') ?? ''));

function isWorthIt(response: ServerResponse): boolean {
  const length = response.getHeader('Content-Length');
  if (length !== undefined && Number(length) < shortest) return false;
  const [tag, cache] = [response.getHeader('ETag'), response.getHeader('Cache-Control')];
  if (tag !== undefined && !String(tag).startsWith('W/')) return false;
  return !/\bno-transform\b/i.test(String(cache ?? ''));
}
