import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { Server } from 'node:net';

/** A server on a free port of 127.0.0.1. */
export interface Listener {
  readonly port: number;
  /** Ends the connections that are open, and then the server. */
  close(): Promise<void>;
}

/** The port that a server listens on. Throws when it does not listen on one. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port');
  return address.port;
}

/** Serves a handler over HTTP. What it rejects with ends the response. */
export async function listen(
  handler: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<Listener> {
  const server = createServer((request, response) => {
    void (async () => handler(request, response))().catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: portOf(server),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
