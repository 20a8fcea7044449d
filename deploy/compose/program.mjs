// Docker Compose as a plugin of the Docker client, compiled once for a machine from the Go module proxy: minutes.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { bin, run } from '../cluster/places.mjs';
import { compiling } from '../cluster/programs.mjs';

const program = join(import.meta.dirname, 'program');
/** What the Docker client reads instead of the settings of whoever runs it: the plugin, and no registry. */
export const clientFolder = join(run, 'client');

export function compileCompose() {
  const [, version] = /docker\/compose\/v2 (v[\d.]+)/.exec(readFileSync(join(program, 'go.mod'), 'utf8'));
  const flags = `-s -w -X github.com/docker/compose/v2/internal.Version=${version}`;
  compiling(program, ({ build }) => build('.', 'docker-compose', flags, 'github.com/docker/compose/v2/cmd'));
  const plugins = join(clientFolder, 'cli-plugins');
  rmSync(plugins, { recursive: true, force: true });
  mkdirSync(plugins, { recursive: true });
  symlinkSync(join(bin, 'docker-compose'), join(plugins, 'docker-compose'));
  if (!existsSync(join(plugins, 'docker-compose'))) throw new Error('docker compose was not compiled');
}
