import { once } from 'node:events';
import { type RequestListener, type Server, createServer } from 'node:http';
import { type AddressInfo, type Socket } from 'node:net';
import type { Tracer } from '@lyceum/kernel';
import { httpUpstream } from '../upstream/http-upstream.ts';

/** A server on a free port of 127.0.0.1, or on a given one, that can die like a killed process. */
export interface Backend {
  readonly url: string;
  readonly port: number;
  /** Ends every connection without a word and listens no more. */
  die(): Promise<void>;
}

export async function backend(handler: RequestListener, port = 0): Promise<Backend> {
  const sockets = new Set<Socket>();
  const server: Server = createServer({ keepAliveTimeout: 65_000 }, handler);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const at = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${at}`,
    port: at,
    async die() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) kill(socket);
      await closed;
    },
  };
}

/** A connection that is ending already cannot be reset: Node would then forget to close it. */
const kill = (socket: Socket): unknown => (socket.writableEnded ? socket.destroy() : socket.resetAndDestroy());

/** An edge that sends everything to the service at these addresses. */
export async function edge(
  urls: readonly string[],
  patience = {},
  trust: { readonly authority?: string; readonly tracer?: Tracer } = {},
) {
  const reported: unknown[] = [];
  const upstream = httpUpstream(
    { name: 'catalog', urls, token: 'token-of-this-test', ...(trust.tracer && { tracer: trust.tracer }) },
    {
      ...(trust.authority !== undefined && { authority: trust.authority }),
      patience,
      report: (error) => void reported.push(error),
      refuse: (response, description, retryAfter) =>
        response.writeHead(503, { 'retry-after': String(retryAfter) }).end(description),
    },
  );
  const front = await backend((request, response) => {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    upstream.forward(request, response);
  });
  return {
    url: front.url,
    port: front.port,
    upstream,
    reported,
    close: async () => {
      await front.die();
      await upstream.close();
    },
  };
}
