import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Upstream } from '@lyceum/internal-api';
import type { InnerAnswer, InnerQuestion } from '@lyceum/web';

function innerRequest(
  method: string,
  { path, querystring, headers: sent }: InnerQuestion,
  json: unknown,
): IncomingMessage {
  const body = json === undefined ? undefined : Buffer.from(JSON.stringify(json));
  const headers = body ? { ...sent, 'content-type': 'application/json', 'content-length': String(body.length) } : sent;
  const request = new IncomingMessage(new Socket());
  request.method = method;
  request.url = querystring === '' ? path : `${path}?${querystring}`;
  request.httpVersion = '1.1';
  request.httpVersionMajor = 1;
  request.httpVersionMinor = 1;
  request.headers = { ...headers };
  request.headersDistinct = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  request.rawHeaders = Object.entries(headers).flat();
  request.complete = true;
  request.push(body ?? null);
  if (body) request.push(null);
  return request;
}

/** Asks a service by a request that no connection carries. Rejects when the service breaks off. */
export async function overHttp(
  door: Pick<Upstream, 'forward'>,
  method: string,
  question: InnerQuestion,
  json: unknown,
): Promise<InnerAnswer> {
  const request = innerRequest(method, question, json);
  const response = new InnerResponse(request);
  await (async () => door.forward(request, response))();
  const text = await response.text;
  const { statusCode: status } = response;
  const headers = Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  try {
    return { status, body: text === '' ? undefined : JSON.parse(text), headers };
  } catch {
    return { status: 502, body: undefined, headers };
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
    if (Array.isArray(headers))
      for (let index = 0; index < headers.length; index += 2)
        this.appendHeader(String(headers[index]), String(headers[index + 1]));
    else if (headers !== null && typeof headers === 'object')
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
