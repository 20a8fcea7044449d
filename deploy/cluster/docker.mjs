// A Docker engine by its socket, as the client of this machine asks it.
import { command, root } from './places.mjs';

/** What can be asked of an engine; `shell` runs a line in which `docker` is that engine. */
export function dockerAt(socket) {
  const more = { DOCKER_HOST: `unix://${socket}` };
  const docker = (args, options = {}) => command('docker', args, { ...options, more: { ...more, ...options.more } });
  return {
    docker,
    shell: (text, cwd = root) => command('bash', ['-o', 'pipefail', '-c', text], { cwd, more }),
    isThere: (image) => docker(['images', '-q', image]).trim() !== '',
    answers() {
      try {
        return docker(['version']) !== '';
      } catch {
        return false;
      }
    },
  };
}
