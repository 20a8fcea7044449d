import { afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { createRequire } from 'node:module';
import { type RequestQueue, quietIdleConnections } from './idle-connections.ts';

interface TestedQueue extends RequestQueue {
  push(request: object): void;
  fulfillRequest(response: object): void;
  maybeThrottle(milliseconds: number): void;
  checkPendingRequests(): void;
  destroy(): void;
}

let newQueue: () => TestedQueue;
const queues: TestedQueue[] = [];
beforeAll(() => {
  quietIdleConnections();
  const Queue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as new (
    options: object,
  ) => TestedQueue;
  const logger = { debug: () => undefined };
  newQueue = () => {
    const queue = new Queue({ maxInFlightRequests: 1, requestTimeout: 1_000, enforceRequestTimeout: false, logger });
    queues.push(queue);
    return queue;
  };
});
afterEach(() => {
  for (const queue of queues.splice(0)) queue.destroy();
  jest.useRealTimers();
});

/** A request of the driver that notes its number when it is sent. */
const request = (correlationId: number, sent: number[]) => ({
  entry: { correlationId, apiName: 'Fetch', apiKey: 1, apiVersion: 11, resolve: () => undefined },
  expectResponse: true,
  sendRequest: () => void sent.push(correlationId),
});

test('a connection on which nothing waits looks at nothing', () => {
  jest.useFakeTimers();
  const queue = newQueue();
  queue.checkPendingRequests();
  expect(jest.getTimerCount()).toBe(0);
});

test('a request that has to wait for another one is sent when that is answered', () => {
  const sent: number[] = [];
  const queue = newQueue();
  queue.push(request(1, sent));
  queue.push(request(2, sent));
  expect(sent).toEqual([1]);
  queue.fulfillRequest({ correlationId: 1, payload: {}, size: 1 });
  expect(sent).toEqual([1, 2]);
});

test('a request that the broker asked to hold back is sent when the pause is over, without anything else', () => {
  jest.useFakeTimers();
  const sent: number[] = [];
  const queue = newQueue();
  queue.maybeThrottle(300);
  queue.push(request(1, sent));
  jest.advanceTimersByTime(250);
  expect(sent).toEqual([]);
  jest.advanceTimersByTime(100);
  expect(sent).toEqual([1]);
  expect(jest.getTimerCount()).toBe(0);
});
