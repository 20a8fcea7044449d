import { freePort } from '@lyceum/testkit';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { PeerMissing } from '../measuring/case.ts';
import { nginxCommand } from '../measuring/peer-cache.ts';

/** A process that answers at an address. */
export interface MeasuredServer {
  readonly url: string;
  readonly pid: number;
  close(): Promise<void>;
}

const root = new URL('../../../../../', import.meta.url);
const measured = fileURLToPath(new URL('services/gateway/dist/bench/edge-process.js', root));
const server = join(import.meta.dirname, 'gateway-server.js');

/** The service behind every proxy: it answers 200 with some 338 bytes at once. */
export const openService = (): Promise<MeasuredServer> => forked(server, ['service']);

/** The edge of ours, from its build, counting requests or not. */
export const openEdge = (service: string, limits: 'limits' | 'passing'): Promise<MeasuredServer> =>
  forked(measured, [service, limits]);

/** The npm package http-proxy. */
export const openHttpProxy = (service: string): Promise<MeasuredServer> => forked(server, ['http-proxy', service]);

async function forked(script: string, args: readonly string[]): Promise<MeasuredServer> {
  const child = fork(script, args, { stdio: 'ignore' });
  const [url] = (await Promise.race([once(child, 'message'), ended(child, `${args[0]} does not start`)])) as [string];
  return { url, pid: child.pid!, close: () => stop(child) };
}

/** nginx with one worker in the one process, logging nothing, on kept connections to the service. */
export async function openNginx(service: string, folder: string): Promise<MeasuredServer> {
  const port = await freePort();
  await writeFile(join(folder, 'nginx.conf'), configuration(port, new URL(service).host));
  const child = spawn(nginxCommand(), ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'], { stdio: 'ignore' });
  const [url, gone] = [`http://127.0.0.1:${port}`, ended(child, 'nginx does not start here')];
  await Promise.race([answering(url), gone]);
  return { url, pid: child.pid!, close: () => stop(child) };
}

const configuration = (port: number, service: string): string => `
daemon off;
master_process off;
pid nginx.pid;
events { worker_connections 4096; }
http {
  access_log off;
  keepalive_requests 1000000000;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  upstream service { server ${service}; keepalive 256; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://service;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Request-Id $request_id;
    }
  }
}
`;

async function answering(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const answered = await request(url).then(
      ({ body }) => body.dump().then(() => true),
      () => false,
    );
    if (answered) return;
    await sleep(50);
  }
  throw new PeerMissing('nginx does not answer here');
}

async function ended(child: ChildProcess, why: string): Promise<never> {
  await Promise.race([once(child, 'exit'), once(child, 'error').then(() => undefined)]).catch(() => undefined);
  throw new PeerMissing(why);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
