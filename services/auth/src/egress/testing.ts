import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

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
  const { key, cert } = await certificate();
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

/** A fresh certificate for localhost, signed by itself. */
async function certificate(): Promise<{ readonly key: string; readonly cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-https-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  try {
    await promisify(execFile)('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', cert]);
    return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
  } finally {
    await rm(folder, { recursive: true });
  }
}
