import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A place on this machine where the browser comes back to. @see RFC 8252 §7.3 */
export interface Loopback {
  readonly redirectUri: string;
  /** Resolves to the address that the browser came to. Rejects after the time that a person gets. */
  readonly back: Promise<URL>;
  close(): void;
}

const page = (text: string): string =>
  `<!doctype html><meta charset="utf-8"><title>${text}</title><p>${text} You can close this page.</p>`;

/** Listens on a free port of 127.0.0.1, for the first visit to `/callback` only. */
export async function listenForReturn(patience: number): Promise<Loopback> {
  let arrive!: (url: URL) => void;
  let giveUp!: (error: Error) => void;
  const back = new Promise<URL>((resolve, reject) => ([arrive, giveUp] = [resolve, reject]));
  back.catch(() => {});
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', redirectUri);
    if (url.pathname !== '/callback' || request.method !== 'GET') return void response.writeHead(404).end();
    const text = url.searchParams.has('error') ? 'You were not signed in.' : 'You are signed in.';
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', connection: 'close' }).end(page(text));
    arrive(url);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  const timer = setTimeout(() => giveUp(new Error('nobody came back from the browser in time')), patience);
  const close = () => {
    clearTimeout(timer);
    giveUp(new Error('the login was given up'));
    server.close();
    server.closeIdleConnections();
  };
  return { redirectUri, back, close };
}
