import type { Exchange, ExchangeState } from './exchange.ts';

/** A request to an operation that takes and gives JSON, without a connection. */
export interface OperationRequest {
  readonly method: string;
  readonly path: string;
  /** Without a question mark. */
  readonly querystring: string;
  /** As the gateway passes them on, in lower case: the school, the token and where it was shown, the request id. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, if there is one: what JSON can say. */
  readonly json?: unknown;
}

/** The response to it. The body is not to be changed: parts of it may be what others read. */
export interface OperationResponse {
  readonly status: number;
  /** Undefined when there is none. */
  readonly body: unknown;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A request from inside the process, and the response to it: the body of the response is never written as text. */
export class LocalExchange implements Exchange {
  readonly isLocal = true;
  readonly sent: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly querystring: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly state: ExchangeState = { requestId: '' };
  status = 404;
  body: unknown;
  readonly #answered: Record<string, string> = {};

  constructor({ method, path, querystring, headers, json }: OperationRequest) {
    this.method = method;
    this.path = path;
    this.querystring = querystring;
    this.headers = headers;
    this.sent = json === undefined ? undefined : JSON.stringify(json);
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

  /** Callers in this process read JSON only. */
  accepts(...types: string[]): string | false {
    return types.find((type) => type === 'application/json') ?? false;
  }

  response(): OperationResponse {
    return { status: this.status, body: this.body ?? undefined, headers: this.#answered };
  }
}
