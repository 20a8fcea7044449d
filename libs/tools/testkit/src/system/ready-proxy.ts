import { type Server, type Socket, connect, createServer } from 'node:net';
import { once } from 'node:events';
import type { ServiceProcess } from './service-process.ts';
import { portOf } from '../http/listen.ts';

/** A process that connections may go to. */
type Target = Pick<ServiceProcess, 'port' | 'status'>;

/** The address of a service that has endpoints only while it is ready, as a Service of Kubernetes has. */
export interface ReadyProxy {
  readonly port: number;
  /** Whether new connections go to a process, among others. */
  leadsTo(target: Target): boolean;
  /** Ends the connections that are open, so that the next ones go to who is a target now. */
  cut(): void;
  close(): Promise<void>;
}

/** Milliseconds between two looks at the readiness of what is behind. */
const lookEvery = 100;

/**
 * Forwards each connection to one of the processes that say that they are ready, and drops it while there is none; with
 * `orAny` it goes to one that is not ready then.
 */
export async function readyProxy(
  targets: () => readonly (Target | undefined)[],
  { orAny = false }: { readonly orAny?: boolean } = {},
): Promise<ReadyProxy> {
  let ready: readonly Target[] = [];
  let turn = 0;
  let looking: NodeJS.Timeout;
  const open = new Set<Socket>();
  const present = () => targets().filter((each) => each !== undefined);
  const look = async (): Promise<void> => {
    const asked = present().map(async (each) => ({ each, is: (await each.status('/readyz')) === 200 }));
    ready = (await Promise.all(asked)).flatMap(({ each, is }) => (is ? [each] : []));
    looking = setTimeout(() => void look(), lookEvery).unref();
  };
  looking = setTimeout(() => void look(), 0).unref();
  const server: Server = createServer((incoming) => {
    const isReady = present().filter((each) => ready.includes(each));
    const able = orAny && isReady.length === 0 ? present() : isReady;
    const behind = able[(turn += 1) % able.length];
    if (!behind) return void incoming.destroy();
    open.add(incoming);
    const outgoing = connect(behind.port, '127.0.0.1');
    incoming
      .on('error', () => outgoing.destroy())
      .on('close', () => {
        open.delete(incoming);
        outgoing.destroy();
      });
    outgoing.on('error', () => incoming.destroy()).on('close', () => incoming.destroy());
    incoming.pipe(outgoing).pipe(incoming);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: portOf(server),
    leadsTo: (target) => ready.includes(target),
    cut: () => open.forEach((each) => each.destroy()),
    async close() {
      clearTimeout(looking);
      server.close();
    },
  };
}
