// Lyceum by docker-compose.yml, as README.md tells whoever has Docker: two secrets, and one command.
import { secrets } from '../cluster/installation.mjs';
import { command, box, say } from '../cluster/places.mjs';
import { client } from './engine.mjs';

/** The settings of the command: the engine of the box, the secrets of this run, and where traces go. */
export function settings() {
  const { SERVICE_TOKEN, OPERATOR_TOKEN } = secrets();
  return { ...client, SERVICE_TOKEN, OPERATOR_TOKEN, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://jaeger:4318' };
}

const profiles = ['--profile', 'apps', '--profile', 'otel'];
const compose = (args) => ['compose', '--ansi=never', '--progress=quiet', ...profiles, ...args];

/** What docker-compose.yml says, as Docker Compose reads it. */
export const composition = () =>
  JSON.parse(command('docker', compose(['config', '--format=json']), { more: settings() }));

/** Starts everything and waits until it is healthy; gives the milliseconds that it took. */
export function install() {
  const began = Date.now();
  box(['docker', ...compose(['up', '-d', '--wait', '--no-build'])], { more: settings() });
  const took = Date.now() - began;
  const containers = box(['docker', ...compose(['ps', '-q'])], { more: settings() })
    .trim()
    .split('\n');
  say(`${containers.length} containers are healthy after ${(took / 1_000).toFixed(1)} s`);
  return took;
}

/** Ends all containers, and removes them with their networks and volumes. */
export const uninstall = () => void box(['docker', ...compose(['down', '--volumes'])], { more: settings() });
