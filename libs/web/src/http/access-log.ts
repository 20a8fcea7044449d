/** Where `mount` writes: pino fits. */
export interface Logger {
  info(line: object, message?: string): void;
  error(line: object, message?: string): void;
}

/** One answered request. The route is the template: ids, query strings, bodies and tokens are never logged. */
export interface AccessLine {
  readonly service: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly duration_ms: number;
  readonly request_id: string;
  /** The trace that the request belongs to, as the gateway or the client began it. */
  readonly trace_id?: string | undefined;
  /** Where traces are told of: the span of the request, and `01` when it is recorded. */
  readonly span_id?: string | undefined;
  readonly trace_flags?: string | undefined;
  readonly school?: string | undefined;
  readonly client?: string | undefined;
  /** The code of the error that was answered. */
  readonly code?: string | undefined;
  /** Of a request that no route took: its path as `safePath` shows it. */
  readonly path?: string | undefined;
  /** Of a token request: how it was asked for. */
  readonly grant_type?: string;
  /** Of a token request: its answer was given before. */
  readonly retried?: true;
  /** A rate limit that refused the request, or that could not be counted. */
  readonly policy?: string;
  readonly limit?: 'refused' | 'unknown';
}

/** Logs nothing. */
export const silentLogger: Logger = { info: () => {}, error: () => {} };
