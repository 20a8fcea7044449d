import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OperationRequest, OperationResponse } from '@lyceum/web';

/**
 * Answers one HTTP request. The school's id is in the `x-school-id` header, set by the gateway. What a handler promises is
 * handed on to the listener, which takes what it throws.
 */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Calls operations of a service that take and give JSON: in the same process or over HTTP. */
export interface UpstreamClient {
  /** Rejects, after it has reported why, when the service gives no response. */
  ask(request: OperationRequest): Promise<OperationResponse>;
}

/** Another service, seen from the gateway: in the same process or over HTTP. */
export interface Upstream extends UpstreamClient {
  readonly name: string;
  /**
   * Answers the request; never throws after the response began. The response carries `defaultHeaders` (name in lower case,
   * value, name, value) where the service sets none of that name.
   */
  forward(request: IncomingMessage, response: ServerResponse, defaultHeaders?: readonly string[]): void | Promise<void>;
  /** The service's own OpenAPI 3.0 document, as a fresh copy. */
  describe(): Promise<Record<string, unknown>>;
}
