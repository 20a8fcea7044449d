import type { IncomingMessage } from 'node:http';

/** Largest body that is passed on to a service, in bytes. Services read less, each as much as it needs. */
export const largestBody = 1024 * 1024;

/** Whether a request says that its body is larger than `limit` bytes. */
export const announcesMore = ({ headers }: IncomingMessage, limit: number): boolean =>
  headers['content-length'] !== undefined && Number(headers['content-length']) > limit;
