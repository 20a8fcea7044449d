import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { clientAddressHeader, schoolHeader, tokenPathHeader } from '@lyceum/contracts';
import type { Upstream } from '@lyceum/runtime';
import { serviceOf } from '../routes.ts';
import type { Caller } from './caller.ts';

/** A JSON object that a service said; what is in it, its OpenAPI document tells. */
export type Json = Readonly<Record<string, unknown>>;

/** What a service answered. */
export interface ApiReply {
  readonly status: number;
  readonly body: Json;
  readonly header: (name: string) => string | undefined;
}

/** One request to an operation of the school's API. */
export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT';
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The operations of the school, asked as the caller: with the caller's token, or as nobody. */
export type Api = (path: string, request?: ApiRequest) => Promise<ApiReply>;

/**
 * The API as one caller sees it. The request goes through the service's own door, with all its checks; the path at which
 * the token was shown travels along, since it may be good for the MCP server only. Paths that no service owns yet, and
 * services that are not there, answer 404 and 503 like over the wire.
 */
export const apiOf =
  (upstream: (service: string) => Pick<Upstream, 'forward'>, caller: Caller): Api =>
  async (path, { method = 'GET', query = {}, json, headers = {} } = {}) => {
    const service = serviceOf(path);
    if (service === undefined) return absent(404);
    let door: Pick<Upstream, 'forward'>;
    try {
      door = upstream(service);
    } catch {
      return absent(503);
    }
    const body = json === undefined ? undefined : Buffer.from(JSON.stringify(json));
    const request = innerRequest(method, path + queryOf(query), {
      host: caller.authority,
      accept: 'application/json',
      [schoolHeader]: caller.school.id,
      [clientAddressHeader]: caller.address,
      'x-request-id': caller.requestId,
      ...(caller.token === undefined
        ? {}
        : { authorization: `Bearer ${caller.token}`, [tokenPathHeader]: caller.path }),
      ...(body ? { 'content-type': 'application/json', 'content-length': String(body.length) } : {}),
      ...headers,
    });
    request.push(body ?? null);
    if (body) request.push(null);
    // A service that breaks down has been reported by its door.
    return answerOf(request, door).catch(() => absent(503));
  };

const absent = (status: number): ApiReply => ({ status, body: {}, header: () => undefined });

function queryOf(query: NonNullable<ApiRequest['query']>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given.toString()}`;
}

function innerRequest(method: string, url: string, headers: Record<string, string>): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.method = method;
  request.url = url;
  request.httpVersion = '1.1';
  request.httpVersionMajor = 1;
  request.httpVersionMinor = 1;
  request.headers = headers;
  request.headersDistinct = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  request.rawHeaders = Object.entries(headers).flat();
  request.complete = true;
  return request;
}

async function answerOf(request: IncomingMessage, door: Pick<Upstream, 'forward'>): Promise<ApiReply> {
  const response = new InnerResponse(request);
  await (async () => door.forward(request, response))();
  const text = await response.text;
  const { statusCode: status } = response;
  const header = (name: string): string | undefined => {
    const value = response.getHeader(name);
    return value === undefined ? undefined : String(value);
  };
  try {
    return { status, body: text === '' ? {} : (JSON.parse(text) as Json), header };
  } catch {
    return { status: 502, body: {}, header };
  }
}

/** An answer that is kept instead of sent. */
class InnerResponse extends ServerResponse {
  /** The body, once it has ended; rejects when the service gives up in the middle. */
  readonly text: Promise<string>;
  readonly #chunks: Buffer[] = [];
  #ended: (text: string) => void = () => undefined;
  #broken: () => void = () => undefined;

  constructor(request: IncomingMessage) {
    super(request);
    this.text = new Promise((resolve, reject) => {
      this.#ended = resolve;
      this.#broken = () => reject(new Error('the service broke its answer off'));
    });
    this.text.catch(() => undefined);
    this.once('close', this.#broken);
  }

  override writeHead(status: number, ...more: readonly unknown[]): this {
    this.statusCode = status;
    const headers = more.at(-1);
    if (headers !== null && typeof headers === 'object')
      for (const [name, value] of Object.entries(headers)) this.setHeader(name, value as string);
    return this;
  }

  override write(chunk: unknown, encoding?: unknown): boolean {
    this.#chunks.push(bytesOf(chunk, encoding));
    return true;
  }

  override end(chunk?: unknown, encoding?: unknown): this {
    if (this.finished) return this;
    if (chunk !== undefined && chunk !== null && typeof chunk !== 'function') this.write(chunk, encoding);
    this.finished = true;
    this.off('close', this.#broken);
    this.#ended(Buffer.concat(this.#chunks).toString());
    this.emit('finish');
    this.emit('close');
    return this;
  }
}

const bytesOf = (chunk: unknown, encoding: unknown): Buffer =>
  typeof chunk === 'string'
    ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
    : Buffer.from(chunk as Uint8Array);
