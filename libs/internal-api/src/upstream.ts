import type { IncomingMessage, ServerResponse } from 'node:http';
import type { InnerAnswer, InnerQuestion } from '@lyceum/web';

/**
 * Answers one HTTP request. The school's id is in the `x-school-id` header, set by the gateway. What a handler promises is
 * handed on to the listener, which takes what it throws.
 */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Asks an operation that reads, as the gateway would by HTTP; undefined where that is the only way. Never rejects. */
export type AskInside = (question: InnerQuestion) => Promise<InnerAnswer | undefined>;

/** Another service, seen from the gateway: in the same process or over HTTP. */
export interface Upstream {
  readonly name: string;
  /**
   * Answers the request; never throws after the response began. The response carries `defaultHeaders` (name in lower case,
   * value, name, value) where the service sets none of that name.
   */
  forward(request: IncomingMessage, response: ServerResponse, defaultHeaders?: readonly string[]): void | Promise<void>;
  /** Given by a service of the same process: the same answers without a request, for those who read them at once. */
  readonly ask?: AskInside;
  /** The service's own OpenAPI 3.0 document, as a fresh copy. */
  describe(): Promise<Record<string, unknown>>;
}
