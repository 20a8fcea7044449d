import { request } from 'node:http';

/**
 * Whether a Docker engine answers on its local socket (`DOCKER_HOST` when it names one, else the usual place). The
 * command line tool proves nothing: it is often there without an engine.
 */
export function dockerAnswers(host = process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock'): Promise<boolean> {
  if (!host.startsWith('unix://')) return Promise.resolve(false);
  return new Promise((resolve) => {
    const ping = request({ socketPath: host.slice('unix://'.length), path: '/_ping', timeout: 1000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    ping.on('timeout', () => ping.destroy());
    ping.on('error', () => resolve(false));
    ping.end();
  });
}
