import { localhostCertificate } from '@lyceum/testkit';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A real HTTPS server on loopback. */
export interface HttpsServer {
  /** `https://localhost:<port>`. */
  readonly origin: string;
  /** `localhost:<port>`, as the allowance of an egress wants it. */
  readonly host: string;
  /** Its certificate, as PEM: trusting it makes the server good. */
  readonly authority: string;
  /** What it does with requests; a test changes it at will. */
  serve: RequestListener;
  /** Addresses that were asked for, in order. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** Starts a server whose certificate is for localhost only. */
export async function startHttpsServer(): Promise<HttpsServer> {
  const { key, cert } = await localhostCertificate();
  const asked: string[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    asked.push(request.url ?? '');
    started.serve(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  const started: HttpsServer = {
    origin: `https://${host}`,
    host,
    authority: cert,
    serve: (_, response) => void response.writeHead(404).end(),
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return started;
}
