// npm run cluster [-- COMMAND]: a real Kubernetes on this machine, from packages alone, with Lyceum installed by its charts.
//   (nothing)          compiles what is missing, brings it up, installs, runs the acceptance, takes it down
//   up | install | accept | down     one of these steps; `up` builds and loads the images as well
//   each       each service as a release of its own in place of the one release, in several orders, with an acceptance of these
//   do COMMAND…        runs a command where the addresses of the cluster exist, e.g. do kubectl get pods -n lyceum
//   --fake-nodes N     a control plane with N nodes that exist in the API only, and what scheduling makes of values/large.yaml
// Needs Linux, root, Go, and the packages that `lacking` names. Everything runs in namespaces of its own; `down` ends it.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { accept, acceptEach } from './acceptance.mjs';
import { closeBox, openBox } from './box.mjs';
import { startControlPlane, startFakeNodes } from './control-plane.mjs';
import { buildImages, loadImages, startDocker, stopDocker } from './images.mjs';
import { install, installOnFakeNodes } from './installation.mjs';
import { startNodes } from './node.mjs';
import { box, boxPid, say } from './places.mjs';
import { compile } from './programs.mjs';

/** Programs of Debian's packages that are not on this machine, by package. */
function lacking() {
  const needed = {
    dockerd: 'docker.io',
    containerd: 'containerd',
    debootstrap: 'debootstrap',
    nft: 'nftables',
    iptables: 'iptables',
    conntrack: 'conntrack',
    tini: 'tini',
    openssl: 'openssl',
  };
  const isThere = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
  const packages = Object.entries(needed).flatMap(([program, name]) => (isThere(program) ? [] : [name]));
  return spawnSync('test', ['-x', '/usr/lib/cni/bridge']).status === 0
    ? packages
    : [...packages, 'containernetworking-plugins'];
}

function prepare() {
  const packages = lacking();
  if (packages.length > 0)
    throw new Error(`not installed: apt-get install --no-install-recommends ${packages.join(' ')}`);
  if (process.getuid() !== 0) throw new Error('namespaces, containers and networks need root');
  compile();
}

async function up() {
  prepare();
  await startDocker();
  const images = buildImages();
  say('namespaces and control plane');
  await openBox();
  await startControlPlane();
  say('nodes');
  await startNodes();
  say('images into the nodes');
  loadImages(images);
  say('the cluster is up');
}

async function down() {
  await stopDocker();
  await closeBox();
  say('the cluster is gone');
}

async function whole() {
  try {
    await up();
    install();
    accept();
    acceptEach();
  } finally {
    await down();
  }
}

async function fake(count) {
  try {
    prepare();
    await openBox();
    await startControlPlane();
    await startFakeNodes(count);
    await installOnFakeNodes();
  } finally {
    await down();
  }
}

const [name, ...rest] = process.argv.slice(2);
const { values } = parseArgs({ options: { 'fake-nodes': { type: 'string' } }, strict: false });
try {
  if (values['fake-nodes']) await fake(Number(values['fake-nodes']));
  else if (name === undefined) await whole();
  else if (name === 'up') await up();
  else if (name === 'install') install();
  else if (name === 'accept') accept();
  else if (name === 'each') acceptEach();
  else if (name === 'down') await down();
  else if (name === 'do' && boxPid() !== undefined) box(rest, { inherit: true });
  else throw new Error('npm run cluster -- [up | install | accept | each | down | do COMMAND…] [--fake-nodes N]');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
