import type { Exchange, ExchangeState } from './exchange.ts';

/** A question to an operation that reads, from inside the process. */
export interface InnerQuestion {
  readonly path: string;
  /** Without a question mark. */
  readonly querystring: string;
  /** As the gateway passes them on, in lower case: the school, the token and where it was shown, the request's name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What the operation answers. The body is not to be changed: parts of it may be what others read. */
export interface InnerAnswer {
  readonly status: number;
  /** Undefined when there is none. */
  readonly body: unknown;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A question and the answer to it, without a connection and without text. */
export class InnerExchange implements Exchange {
  readonly isInner = true;
  readonly method = 'GET';
  readonly path: string;
  readonly querystring: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly state: ExchangeState = { requestId: '' };
  status = 404;
  body: unknown;
  readonly #answered: Record<string, string> = {};

  constructor({ path, querystring, headers }: InnerQuestion) {
    this.path = path;
    this.querystring = querystring;
    this.headers = headers;
  }

  get req(): Exchange['req'] {
    return { headers: this.headers, rawHeaders: [], url: this.path + this.search };
  }

  get search(): string {
    return this.querystring === '' ? '' : `?${this.querystring}`;
  }

  get(name: string): string {
    return this.headers[name.toLowerCase()] ?? '';
  }

  set(given: string | Record<string, string>, value?: string): void {
    if (typeof given === 'string') this.#answered[given.toLowerCase()] = value!;
    else for (const name in given) this.#answered[name.toLowerCase()] = given[name]!;
  }

  /** Nobody inside wants anything but JSON. */
  accepts(...types: string[]): string | false {
    return types.find((type) => type === 'application/json') ?? false;
  }

  answer(): InnerAnswer {
    return { status: this.status, body: this.body ?? undefined, headers: this.#answered };
  }
}
