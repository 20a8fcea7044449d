import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { answerError } from '@lyceum/web';
import type { Handler } from '@lyceum/internal-api';
import { StartRefused } from '@lyceum/service';
import { answerHostless, answerUnreadable, lacksHost } from './malformed-request.ts';

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
 * Connections that may wait to be accepted; the system has a limit of its own (4,096 on Linux). Where they are too many, it
 * drops whoever comes next, of whichever school, who tries again after a second: Node's 511 is one burst.
 */
const backlog = 65_535;

/** Where a listener listens, and who hears of what its handler throws. */
interface Listening {
  readonly host: string;
  readonly port: number;
  /** The variable to change when the port is taken. */
  readonly setting: string;
  readonly failed?: (error: unknown) => void;
}

/**
 * Answers a request: whatever the handler throws, now or later, ends with this request, and not with the process.
 */
async function answerOne(handler: Handler, request: IncomingMessage, response: ServerResponse, { failed }: Listening) {
  try {
    await handler(request, response);
  } catch (error) {
    failed?.(error);
    if (response.headersSent) response.destroy();
    else answerError(response, 'server_error', `req_${randomUUID()}`);
  }
}

/**
 * Listens on host and port. Throws `StartRefused` when the port is taken or the address is not this machine's; `setting`
 * is the variable to change then.
 */
export async function listen(handler: Handler, at: Listening): Promise<Listener> {
  const pending = new Pending();
  let draining = false;
  const options = { keepAliveTimeout, ...slowness, requireHostHeader: false };
  const server = createServer(options, (request: IncomingMessage, response) => {
    // The answer before says that the connection ends with it: what was sent behind it is not read, so it is not done.
    if (draining && pending.isClosing(request.socket)) return;
    if (draining) response.setHeader('connection', 'close');
    pending.add(request.socket, response);
    if (lacksHost(request)) return answerHostless(response);
    void answerOne(handler, request, response, at);
  });
  server.on('connection', (socket: Socket) => pending.meet(socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || !pending.endAfterOwed(socket)) answerUnreadable(error, socket);
  });
  server.listen({ port: at.port, host: at.host, backlog });
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
    close(patience) {
      draining = true;
      return closeGently(server, pending, patience);
    },
  };
}

/**
 * Milliseconds in which nothing came on a connection before it counts as idle: what a client sent while it heard of the end
 * is answered. Longer than a network takes, shorter than anybody waits.
 */
const quiet = 250;

/** Turns of the event loop in which connections that wait are taken in, at most. */
const mostTurns = 1_000;

/**
 * Accepts the connections that wait already and no more, and ends each connection when no request can be on its way: `close`
 * of Node's own server resets those whose request it has not read yet. Resolves to how many requests were cut off.
 * @see RFC 9112 §9.6
 */
async function closeGently(server: Server, pending: Pending, patience: number): Promise<number> {
  let abandoned = 0;
  // A connection is accepted in a turn of the event loop: those that wait are accepted before the listener closes.
  for (let calm = 0, tries = 0; calm < 5 && tries < mostTurns; tries += 1) {
    const before = pending.met;
    await new Promise(setImmediate);
    calm = pending.met > before ? 0 : calm + 1;
  }
  const closed = new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve()));
  const overrun = setTimeout(() => {
    abandoned = pending.all().length;
    server.closeAllConnections();
  }, patience);
  const looking = setInterval(() => pending.endIdle(quiet), quiet / 5);
  await closed;
  clearInterval(looking);
  clearTimeout(overrun);
  // Its own timers end with it.
  server.close();
  return abandoned;
}

/** What arrived on a connection up to a time. */
interface Arrived {
  readonly bytes: number;
  readonly at: number;
}

/**
 * Requests that wait for their answers, by connection. A response that waits behind another one gets no event when
 * the connection ends: it is forgotten with the connection.
 */
class Pending {
  readonly #bySocket = new Map<Socket, Set<ServerResponse>>();
  readonly #arrived = new WeakMap<Socket, Arrived>();
  readonly #ending = new WeakSet<Socket>();

  /** Connections so far. */
  met = 0;

  meet(socket: Socket): void {
    this.met += 1;
    this.#bySocket.set(socket, new Set());
    socket.once('close', () => this.#bySocket.delete(socket));
  }

  add(socket: Socket, response: ServerResponse): void {
    const own = this.#bySocket.get(socket);
    if (!own) return;
    own.add(response);
    // It closes once: a listener that stays costs less than one that takes itself away.
    response.on('close', () => own.delete(response));
  }

  all(): ServerResponse[] {
    return [...this.#bySocket.values()].flatMap((waiting) => [...waiting]);
  }

  /** Ends connections on which nothing waits and nothing came for so many milliseconds, by looks in between. */
  endIdle(milliseconds: number): void {
    const now = performance.now();
    for (const [socket, waiting] of this.#bySocket) {
      const before = this.#arrived.get(socket);
      const isQuiet = waiting.size === 0 && before?.bytes === socket.bytesRead;
      if (!isQuiet) this.#arrived.set(socket, { bytes: socket.bytesRead, at: now });
      else if (now - before.at >= milliseconds) socket.destroySoon();
    }
  }

  /**
   * Ends a connection whose next bytes cannot be read, once the answers are out that it is owed to requests that came
   * whole. Whether anything is or was answered; if not, the request that cannot be read has yet to be.
   * @see RFC 9112 §9.3.2
   */
  endAfterOwed(socket: Socket): boolean {
    const waiting = [...(this.#bySocket.get(socket) ?? [])];
    const last = waiting.findLast(({ req }) => req.complete);
    if (last === undefined) {
      const isAnswered = waiting.some(({ headersSent }) => headersSent);
      if (isAnswered) socket.destroySoon();
      return isAnswered;
    }
    if (this.#ending.has(socket)) return true;
    this.#ending.add(socket);
    if (!last.headersSent) last.setHeader('connection', 'close');
    last.once('close', () => socket.destroySoon());
    return true;
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
