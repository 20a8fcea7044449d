// npm run compose [-- COMMAND]: docker-compose.yml with all its services on this machine, from packages alone.
//   (nothing)          compiles and builds what is missing, starts everything, runs the acceptance, takes it down
//   up | accept | down one of these steps
//   do COMMAND…        runs a command where the ports are published, e.g. do docker compose --profile apps ps
// Needs Linux, root, Go, the packages that `lacking` names, and `npm run engines`. Everything runs in namespaces of its own.
import './run-folder.mjs';
import { spawnSync } from 'node:child_process';
import { closeBox, openBox } from '../cluster/box.mjs';
import { startDocker, stopDocker } from '../cluster/images.mjs';
import { box, boxPid, say } from '../cluster/places.mjs';
import { accept } from './acceptance.mjs';
import { group, startEngine, takeImages } from './engine.mjs';
import { buildComposition } from './images.mjs';
import { install, settings, uninstall } from './installation.mjs';
import { leftovers } from './leftovers.mjs';
import { compileCompose } from './program.mjs';

/** Programs of Debian's packages that are not on this machine, by package. */
function lacking() {
  const needed = {
    dockerd: 'docker.io',
    iptables: 'iptables',
    nft: 'nftables',
    tini: 'tini',
    debootstrap: 'debootstrap',
  };
  const isThere = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
  return Object.entries(needed).flatMap(([program, name]) => (isThere(program) ? [] : [name]));
}

/** Throws where nothing can be brought up; then there is nothing to take down either. */
function prepare() {
  const packages = lacking();
  if (packages.length > 0)
    throw new Error(`not installed: apt-get install --no-install-recommends ${packages.join(' ')}`);
  if (process.getuid() !== 0) throw new Error('namespaces, containers and networks need root');
  if (boxPid() !== undefined) throw new Error('it runs already: npm run compose -- down');
}

async function up() {
  compileCompose();
  await startDocker();
  const images = buildComposition();
  say('namespaces, with a Docker engine in them');
  await openBox({ isNode: false });
  await startEngine();
  say('images into the engine');
  takeImages(images);
  await stopDocker();
  say('docker compose --profile apps up -d --wait');
  install();
}

async function down() {
  try {
    if (boxPid() !== undefined) uninstall();
  } catch (error) {
    say(`the containers end with their engine: ${error.message}`);
  }
  await stopDocker();
  await closeBox(group);
  const left = leftovers();
  if (left.length > 0) throw new Error(`left on this machine: ${left.join(', ')}`);
  say('everything is gone');
}

async function whole() {
  prepare();
  try {
    await up();
    accept();
  } finally {
    await down();
  }
}

const [name, ...rest] = process.argv.slice(2);
try {
  if (name === undefined) await whole();
  else if (name === 'up') {
    prepare();
    await up();
  } else if (name === 'accept') accept();
  else if (name === 'down') await down();
  else if (name === 'do' && boxPid() !== undefined) box(rest, { inherit: true, more: settings() });
  else throw new Error('npm run compose -- [up | accept | down | do COMMAND…]');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
