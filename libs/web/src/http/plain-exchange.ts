import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Exchange } from './exchange.ts';

/** Kinds of answers that are taken as they are: nothing is to be weighed. */
const undemanding: ReadonlySet<string | undefined> = new Set([undefined, '*/*', 'application/json']);

/** Whether a request may be served as a `PlainExchange`, if its operation answers with a value. */
export const isPlainRead = ({ method, url, headers: { accept } }: IncomingMessage): boolean =>
  method === 'GET' && url?.charCodeAt(0) === slash && !url.includes('#') && undemanding.has(accept);

const slash = 0x2f;

/**
 * A read over a connection whose answer is one value, which is most of what is asked: what Koa would do for it, without
 * a context of its own and with one head.
 */
export class PlainExchange implements Exchange {
  readonly method = 'GET';
  readonly req: IncomingMessage;
  readonly path: string;
  readonly querystring: string;
  readonly headers: IncomingMessage['headers'];
  readonly state: Record<string, unknown> = {};
  status = 404;
  body: unknown;
  readonly #answered: Record<string, string> = {};

  constructor(request: IncomingMessage) {
    const { url = '/', headers } = request;
    const end = url.indexOf('?');
    this.req = request;
    this.headers = headers;
    this.path = end < 0 ? url : url.slice(0, end);
    this.querystring = end < 0 ? '' : url.slice(end + 1);
  }

  get search(): string {
    return this.querystring === '' ? '' : `?${this.querystring}`;
  }

  get(name: string): string {
    return (this.headers[name.toLowerCase()] as string | undefined) ?? '';
  }

  set(given: string | Record<string, string>, value?: string): void {
    if (typeof given === 'string') this.#answered[given.toLowerCase()] = value!;
    else for (const name in given) this.#answered[name.toLowerCase()] = given[name]!;
  }

  /** Whoever takes anything gets JSON. */
  accepts(...types: string[]): string | false {
    return types.find((type) => type === 'application/json') ?? false;
  }

  /** Sends the answer, if anybody is there to read it. */
  send(response: ServerResponse): void {
    if (response.destroyed) return;
    const { status, body } = this;
    const head = this.#answered;
    if (typeof body !== 'string') delete head['content-type'];
    if (status !== 304 && status !== 204)
      head['content-length'] = typeof body === 'string' ? String(Buffer.byteLength(body)) : '0';
    response.writeHead(status, head).end(body ?? undefined);
  }
}
