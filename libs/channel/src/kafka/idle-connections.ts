import { createRequire } from 'node:module';

/** What is mended of the driver's queue of requests, of which each connection has one. */
export interface RequestQueue {
  /** Requests that wait until the broker lets them be sent. */
  readonly pending: readonly unknown[];
  /** Milliseconds since the epoch: until then the broker has asked for a pause. */
  readonly throttledUntil: number;
  scheduleCheckPendingRequests(): void;
}

type RequestQueueClass = abstract new (...options: never[]) => RequestQueue;

const mended = new WeakSet<RequestQueueClass>();

/**
 * Ends the looks of idle connections of kafkajs 2.2.4 at a queue in which nothing waits: each look plans the next one for a
 * moment that is past, a thousand times a second for each connection, which was half of what an idle service did. A request
 * that has to wait plans a look itself, and so does each answer.
 * @see https://github.com/tulios/kafkajs/issues/1704
 */
export function quietIdleConnections(): void {
  const Queue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as RequestQueueClass;
  if (mended.has(Queue)) return;
  mended.add(Queue);
  const { prototype } = Queue as unknown as { readonly prototype: RequestQueue };
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this);
  };
}
