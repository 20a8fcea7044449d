import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { type Socket, connect } from 'node:net';

/** What a lane asks for. */
export interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  /** A text is sent as it is, URLSearchParams as a form, anything else as JSON. */
  readonly body?: unknown;
  /** Where the request seems to come from; another address each time when not given. */
  readonly from?: string;
  /** Milliseconds after which the answer is no longer read, e.g. of a stream. */
  readonly atMost?: number;
}

/** A status, and the text of the answer. */
export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
}

/** An address of the network 10.0.0.0/8. */
export const anyAddress = (): string => `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join('.')}`;

const contentOf = (body: unknown): readonly [type: string, text: string] => {
  if (body instanceof URLSearchParams) return ['application/x-www-form-urlencoded', body.toString()];
  return ['application/json', typeof body === 'string' ? body : JSON.stringify(body)];
};

/** One caller of a school: asks one thing after the other on a connection that it keeps, or each on a new one. */
export class Lane {
  readonly index: number;
  readonly #port: number;
  readonly #host: string;
  readonly #agent: Agent;

  constructor(index: number, baseUrl: string, keepAlive = true) {
    const { port, host } = new URL(baseUrl);
    this.index = index;
    this.#port = Number(port);
    this.#host = host;
    this.#agent = new Agent({ keepAlive, ...(keepAlive && { maxSockets: 1 }) });
  }

  ask({ method = 'GET', path, headers, body, from = anyAddress(), atMost }: Asked): Promise<Answered> {
    const content = body === undefined ? undefined : contentOf(body);
    const about = content && { 'content-type': content[0], 'content-length': Buffer.byteLength(content[1]) };
    const sent = { host: this.#host, 'x-forwarded-for': from, ...about, ...headers };
    const where = { host: '127.0.0.1', port: this.#port, agent: this.#agent };
    return new Promise((resolve, reject) => {
      const outgoing = request({ ...where, method, path, headers: sent }, (incoming) => {
        const { statusCode: status = 0, headers } = incoming;
        let text = '';
        const done = (): void => resolve({ status, text, location: headers.location });
        incoming.setEncoding('latin1').on('data', (part: string) => void (text += part));
        incoming.once('end', done).once('error', reject);
        if (atMost === undefined) return;
        const enough = setTimeout(() => {
          done();
          outgoing.destroy();
        }, atMost);
        incoming.once('close', () => clearTimeout(enough));
      });
      outgoing.once('error', reject);
      outgoing.end(content?.[1]);
    });
  }

  /** Opens a connection of its own for a client that writes what it likes. */
  connect(write: (socket: Socket, head: string) => void): Promise<number> {
    const socket = connect(this.#port, '127.0.0.1');
    socket.setEncoding('latin1');
    return new Promise((resolve) => {
      let text = '';
      socket.on('data', (part) => {
        text += String(part);
        const status = /^HTTP\/1\.1 (?!1)(\d{3})/m.exec(text)?.[1];
        if (!status) return;
        resolve(Number(status));
        socket.destroy();
      });
      socket.once('error', () => undefined);
      socket.once('close', () => resolve(0));
      socket.once('connect', () => write(socket, `Host: ${this.#host}\r\nX-Forwarded-For: ${anyAddress()}\r\n`));
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
