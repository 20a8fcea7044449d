import { type Server, connect, createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { ServiceProcess } from './service-process.ts';

/** The address of a service that has endpoints only while it is ready, as a Service of Kubernetes has. */
export interface ReadyProxy {
  readonly port: number;
  close(): Promise<void>;
}

/** Milliseconds between two looks at the readiness of what is behind. */
const lookEvery = 100;

/** Forwards connections to a process while it says that it is ready, and drops them else. */
export async function readyProxy(target: () => ServiceProcess | undefined): Promise<ReadyProxy> {
  let isReady = false;
  let looking: NodeJS.Timeout;
  const look = async (): Promise<void> => {
    isReady = (await target()?.status('/readyz')) === 200;
    looking = setTimeout(() => void look(), lookEvery).unref();
  };
  looking = setTimeout(() => void look(), 0).unref();
  const server: Server = createServer((incoming) => {
    const behind = target();
    if (!isReady || !behind) return void incoming.destroy();
    const outgoing = connect(behind.port, '127.0.0.1');
    incoming.on('error', () => outgoing.destroy()).on('close', () => outgoing.destroy());
    outgoing.on('error', () => incoming.destroy()).on('close', () => incoming.destroy());
    incoming.pipe(outgoing).pipe(incoming);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      clearTimeout(looking);
      server.close();
    },
  };
}
