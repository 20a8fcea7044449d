import { type Socket, connect, createServer } from 'node:net';
import { portOf } from '../http/listen.ts';

/** A TCP proxy on loopback that can spoil what passes. Its state holds for open and new connections. */
export interface FaultProxy {
  readonly port: number;
  /** The address of the proxy in place of the server's: `127.0.0.1:port` put into the URL that was given. */
  readonly url: string;
  /** Connections open at this moment. */
  connections(): number;
  /** Every chunk, in both directions, arrives so many milliseconds later, in order. */
  delay(milliseconds: number): void;
  /** Resets all open connections, e.g. in the middle of an answer; new ones are served. */
  drop(): void;
  /** Resets all open connections and every new one at once, as a server that is down. */
  refuse(): void;
  /** Half-open: connections stay and are accepted, but nothing is forwarded until `restore`, which delivers it. */
  halt(): void;
  /** Like `halt` for answers only: requests still arrive, so a write happens and its caller never learns of it. */
  swallowAnswers(): void;
  /** Back to faultless; what `halt` held back is forwarded, swallowed answers stay lost. */
  restore(): void;
  /** Ends the proxy and its connections. */
  stop(): Promise<void>;
}

type Mode = 'forward' | 'refuse' | 'halt' | 'swallow';

interface State {
  mode: Mode;
  delay: number;
}

/**
 * Starts a proxy in front of a server, e.g. `startFaultProxy(redis.url)`. Servers that announce their own address to
 * clients (Kafka, replica sets, Redis Cluster) are reached around the proxy, unless the driver is told otherwise
 * (`directConnection=true` for MongoDB; for Kafka a `socketFactory` that connects to the proxy's port).
 */
export async function startFaultProxy(url: string): Promise<FaultProxy> {
  const target = addressOf(url);
  const state: State = { mode: 'forward', delay: 0 };
  const open = new Set<Socket>();
  const held: (() => void)[] = [];
  const reset = () => open.forEach((socket) => socket.resetAndDestroy());
  const server = createServer((client) => {
    if (state.mode === 'refuse') return void client.resetAndDestroy();
    const upstream = connect(target.port, target.host);
    join(client, upstream, open);
    carry(client, upstream, state, held, false);
    carry(upstream, client, state, held, true);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  return {
    port,
    url: url.replace(target.text, `127.0.0.1:${port}`),
    connections: () => open.size / 2,
    delay: (milliseconds) => void (state.delay = milliseconds),
    drop: reset,
    refuse() {
      state.mode = 'refuse';
      reset();
    },
    halt: () => void (state.mode = 'halt'),
    swallowAnswers: () => void (state.mode = 'swallow'),
    restore() {
      Object.assign(state, { mode: 'forward', delay: 0 });
      for (const forward of held.splice(0)) forward();
    },
    stop() {
      reset();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

/** The two halves of one connection end together. */
function join(client: Socket, upstream: Socket, open: Set<Socket>): void {
  const halves = [client, upstream] as const;
  for (const [index, socket] of halves.entries()) {
    open.add(socket.setNoDelay(true));
    socket.on('error', () => halves[1 - index]!.resetAndDestroy());
    socket.on('close', () => {
      open.delete(socket);
      halves[1 - index]!.destroySoon();
    });
  }
}

/** Forwards the chunks of one direction in order, by the state at their time. */
function carry(from: Socket, to: Socket, state: State, held: (() => void)[], answers: boolean): void {
  let due = 0;
  const pass = (chunk: Buffer) => {
    if (to.destroyed) return;
    if (state.mode === 'halt') return void held.push(() => to.write(chunk));
    if (state.mode === 'swallow' && answers) return;
    to.write(chunk);
  };
  from.on('data', (chunk: Buffer) => {
    // A later chunk never overtakes an earlier one, even when the delay was lowered between them.
    due = Math.max(due, performance.now() + state.delay);
    const wait = due - performance.now();
    if (wait <= 0) pass(chunk);
    else setTimeout(pass, wait, chunk).unref();
  });
}

function addressOf(url: string): { host: string; port: number; text: string } {
  const found = /(?:^|[/@])([^/@:,?]+):(\d+)/.exec(url.replace(/^[a-z+]+:\/\//, (scheme) => '/'.repeat(scheme.length)));
  if (!found) throw new Error(`no host and port in ${url}`);
  return { host: found[1]!, port: Number(found[2]), text: `${found[1]}:${found[2]}` };
}
