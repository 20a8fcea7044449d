// A Docker engine in the box, with networks of its own and rules of iptables, as a machine that runs containers has it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { dockerAt } from '../cluster/docker.mjs';
import { giveImages } from '../cluster/images.mjs';
import { run, started, until } from '../cluster/places.mjs';
import { clientFolder } from './program.mjs';

const folder = join(run, 'engine');
const socket = join(folder, 'docker.sock');
/** The group of processes that containers are counted in. */
export const group = 'lyceum-compose';
/** What leads the Docker client to this engine. */
export const client = { DOCKER_HOST: `unix://${socket}`, DOCKER_CONFIG: clientFolder };

/** Starts the engine. All that it keeps is thrown away with the run. */
export async function startEngine() {
  mkdirSync(folder, { recursive: true });
  const places = ['data', 'exec'].map((name) => `--${name}-root=${join(folder, name)}`);
  const flags = ['--storage-driver=overlay2', `--cgroup-parent=/${group}`];
  started('engine', [
    'dockerd',
    '-H',
    `unix://${socket}`,
    ...places,
    `--pidfile=${join(folder, 'docker.pid')}`,
    ...flags,
  ]);
  await until(30_000, () => dockerAt(socket).docker(['version']));
}

/** Gives the engine images under the names that docker-compose.yml knows; `names`: these by those of the engine that built. */
export function takeImages(names) {
  giveImages(Object.keys(names), `docker -H 'unix://${socket}' load -q`);
  for (const [built, name] of Object.entries(names)) {
    dockerAt(socket).docker(['tag', built, name]);
    dockerAt(socket).docker(['rmi', built]);
  }
}
