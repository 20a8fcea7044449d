import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Handler } from './module.ts';
import { StartRefused } from './refusal.ts';
import { answerUnreadable } from './unreadable.ts';

/** An HTTP listener that can be drained. */
export interface Listener {
  readonly port: number;
  /** Connections open now. */
  connections(): Promise<number>;
  /** Requests that have not been answered yet. */
  inFlight(): number;
  /** From now on every response closes its connection; new connections are still served. */
  drain(): void;
  /** Accepts no more, lets requests in flight finish for at most `patience` milliseconds, and resolves to how many were cut off. */
  close(patience: number): Promise<number>;
}

/** Milliseconds. A router in front keeps idle connections for about a minute: it must be the first to close them. */
const keepAliveTimeout = 65_000;
/**
 * How long a head, and a request with its body, may take to arrive: who sends a byte now and then must not keep
 * connections for ever. A connection that nothing has been sent on counts as a head that is late.
 */
const slowness = { headersTimeout: 20_000, requestTimeout: 300_000, connectionsCheckingInterval: 5_000 };

/**
 * Listens on host and port. Throws `StartRefused` when the port is taken or the address is not this machine's; `setting`
 * is the variable to change then.
 */
export async function listen(handler: Handler, at: { host: string; port: number; setting: string }): Promise<Listener> {
  const pending = new Pending();
  let draining = false;
  const server = createServer({ keepAliveTimeout, ...slowness }, (request: IncomingMessage, response) => {
    // The answer before says that the connection ends with it: what was sent behind it is not read, so it is not done.
    if (draining && pending.isClosing(request.socket)) return;
    if (draining) response.setHeader('connection', 'close');
    pending.add(request.socket, response);
    handler(request, response);
  });
  server.on('clientError', answerUnreadable);
  server.listen(at.port, at.host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw refusal(error as NodeJS.ErrnoException, at);
  }
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count ?? 0))),
    inFlight: () => pending.all().length,
    drain() {
      draining = true;
      for (const response of pending.all()) if (!response.headersSent) response.setHeader('connection', 'close');
    },
    close: (patience) =>
      new Promise((resolve) => {
        let abandoned = 0;
        const overrun = setTimeout(() => {
          abandoned = pending.all().length;
          server.closeAllConnections();
        }, patience);
        server.close(() => {
          clearTimeout(overrun);
          resolve(abandoned);
        });
        server.closeIdleConnections();
      }),
  };
}

/**
 * Requests that wait for their answers, by connection. An answer that stands behind another one when the connection ends
 * is never told so: it is forgotten with the connection.
 */
class Pending {
  readonly #bySocket = new Map<Socket, Set<ServerResponse>>();

  add(socket: Socket, response: ServerResponse): void {
    let waiting = this.#bySocket.get(socket);
    if (!waiting) {
      waiting = new Set();
      this.#bySocket.set(socket, waiting);
      socket.once('close', () => this.#bySocket.delete(socket));
    }
    const own = waiting.add(response);
    // It closes once: a listener that stays costs less than one that takes itself away.
    response.on('close', () => own.delete(response));
  }

  all(): ServerResponse[] {
    return [...this.#bySocket.values()].flatMap((waiting) => [...waiting]);
  }

  /** Whether an answer that is still to come ends the connection. */
  isClosing(socket: Socket): boolean {
    return [...(this.#bySocket.get(socket) ?? [])].some((response) => response.getHeader('connection') === 'close');
  }
}

function refusal(
  error: NodeJS.ErrnoException,
  { host, port, setting }: { host: string; port: number; setting: string },
): Error {
  if (error.code === 'EADDRINUSE')
    return new StartRefused(`Port ${port} on ${host} is in use`, [
      `  Stop the program that listens there, or choose another port: ${setting}=${port + 2}`,
    ]);
  if (error.code === 'EACCES')
    return new StartRefused(`Port ${port} may not be opened by this user`, [
      `  Choose a port above 1023: ${setting}=8080`,
    ]);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new StartRefused(`${host} is not an address of this machine`, [`  Set the host to 127.0.0.1 or 0.0.0.0`]);
  return error;
}
