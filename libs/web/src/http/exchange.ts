import type { Span } from '@lyceum/kernel';
import type { TokenCarrier, TrustedSchool } from '@lyceum/oauth';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AccessLine } from './access-log.ts';

/** A school, and the origin of its own at which it was asked, if that is not the issuer. */
export interface AskedSchool extends TrustedSchool {
  readonly origin?: string | undefined;
}

/** What the layers of a service tell each other about one request. The log line says most of it. */
export interface ExchangeState {
  /** Set by the outermost layer. */
  requestId: string;
  /** Set where traces are told of. */
  span?: Span;
  school?: string | undefined;
  client?: string | undefined;
  /** The template of the path. */
  route?: string;
  /** The code of the error that is answered. */
  code?: string | undefined;
  /** What else the log line says. */
  noted?: Pick<AccessLine, 'grant_type' | 'retried' | 'policy' | 'limit' | 'code'>;
}

/**
 * A request and the answer to it, as far as operations are served by it: Koa's context is one, a
 * request from inside the process (`LocalExchange`) the other.
 */
export interface Exchange {
  readonly req: TokenCarrier;
  readonly method: string;
  readonly path: string;
  /** With its question mark, or empty. */
  readonly search: string;
  readonly querystring: string;
  readonly headers: IncomingHttpHeaders;
  readonly state: ExchangeState;
  /** The caller is in this process: the body of the response is given as a value, not as text. */
  readonly isLocal?: true;
  /** The body of a local request as JSON text; undefined when there is none. */
  readonly sent?: string | undefined;
  status: number;
  body: unknown;
  /** A header of the request; '' when absent. */
  get(name: string): string;
  /** Sets headers of the answer; names in small letters need no conversion. */
  set(name: string, value: string): void;
  set(headers: Readonly<Record<string, string>>): void;
  accepts(...types: string[]): string | false;
}

/** An exchange over a connection: a context of Koa. */
export interface WireExchange extends Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  is(type: string): string | false | null;
}

/** The exchange as Koa's: operations that take, give or stream other things than JSON are served over connections only. */
export function wired(exchange: Exchange): WireExchange {
  if (!('res' in exchange)) throw new Error('only as a context of Koa');
  return exchange as WireExchange;
}
