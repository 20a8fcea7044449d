// The acceptance: what is claimed of an installation on Kubernetes, on the one that runs here. Exit code 1 when a claim fails.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLoad } from './load.mjs';
import { School, base, gateway, openDoor } from './school.mjs';

const namespace = 'lyceum';
function kubectl(...args) {
  const { status, stdout, stderr } = spawnSync('kubectl', ['-n', namespace, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
  return stdout;
}
const items = (...args) => JSON.parse(kubectl('get', ...args, '-o', 'json')).items;

const began = Date.now();
const say = (text) => console.log(`${((Date.now() - began) / 1_000).toFixed(1).padStart(7)} s  ${text}`);
let faults = 0;
let asked = 0;

/** One change under load. Afterwards nothing may have failed, but where `allowed` says how much. */
async function stage(load, name, change, allowed = 0) {
  signed.authorization = `Bearer ${await school.freshToken()}`;
  await change();
  await sleep(2_000);
  const seen = load.look();
  const failed = Object.values(seen.failed).reduce((sum, each) => sum + each, 0);
  asked += seen.asked;
  if (failed > allowed) faults += 1;
  say(
    `${failed > allowed ? 'FAULT ' : ''}${name}: ${failed} of ${seen.asked} failed ${failed ? JSON.stringify(seen.failed) : ''}`,
  );
}

const deployments = () =>
  items('deployments', '-l', 'app.kubernetes.io/part-of=lyceum').map(({ metadata }) => metadata.name);
const podsOf = (deployment) => {
  const { spec } = JSON.parse(kubectl('get', 'deployment', deployment, '-o', 'json'));
  const labels = Object.entries(spec.selector.matchLabels).map((pair) => pair.join('='));
  return items('pods', '-l', labels.join(','));
};
const isReady = (pod) => pod.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
async function untilReady(deployment) {
  kubectl('rollout', 'status', `deployment/${deployment}`, '--timeout=300s');
  for (let tries = 0; tries < 600 && !podsOf(deployment).every(isReady); tries += 1) await sleep(500);
}

const roll = async (deployment) => {
  kubectl('rollout', 'restart', `deployment/${deployment}`);
  await untilReady(deployment);
};

const remove = async (deployment) => {
  const [pod] = podsOf(deployment);
  kubectl('delete', 'pod', pod.metadata.name, '--wait=true');
  await untilReady(deployment);
};

/** What a drain of a node does to its pods, one after the other; the one node here cannot be left without any. */
const evict = async (deployment) => {
  const [pod] = podsOf(deployment);
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod.metadata.name, namespace } };
  const path = `/api/v1/namespaces/${namespace}/pods/${pod.metadata.name}/eviction`;
  const { status, stderr } = spawnSync('kubectl', ['create', '--raw', path, '-f', '-'], {
    input: JSON.stringify(eviction),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`eviction of ${pod.metadata.name}: ${stderr}`);
  await sleep(1_000);
  await untilReady(deployment);
};

/** SIGKILL of the processes of a pod, from outside of it. */
const kill = async (deployment) => {
  const [pod] = podsOf(deployment);
  const processes = readdirSync('/proc').filter((name) => {
    try {
      return (
        /^\d+$/.test(name) &&
        readFileSync(`/proc/${name}/cgroup`, 'utf8').includes(pod.metadata.uid) &&
        readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('/app/main.js')
      );
    } catch {
      return false;
    }
  });
  if (processes.length === 0) throw new Error(`${pod.metadata.name} has no process`);
  for (const each of processes) process.kill(Number(each), 'SIGKILL');
  await sleep(1_000);
  await untilReady(deployment);
};

const closeDoor = await openDoor();
const school = await School.provision();
say('a school is provisioned by the operator’s command');
await school.signIn();
say('its owner signs in');
await school.publishCourse();
const first = await school.sell();
say(`a course is sold: order ${first.number ?? first.id} is fulfilled`);

const host = new URL(base).host;
const signed = { host, authorization: `Bearer ${await school.freshToken()}` };
const json = { host, 'content-type': 'application/json' };
const quote = JSON.stringify({ items: [{ item_type: 'course', item_id: school.course }] });
const load = startLoad(gateway, [
  { path: '/.well-known/oauth-authorization-server', headers: { host } },
  { path: '/api/courses', headers: { host } },
  { path: '/api/school', headers: signed },
  { path: '/api/lecturers', headers: signed },
  { path: '/api/oauth/jwks', headers: { host }, right: ['200'] },
  { path: '/api/checkout/quotes', method: 'POST', headers: json, body: quote },
]);
await stage(load, 'nothing changes', () => sleep(10_000));
for (const each of deployments()) await stage(load, `${each} is rolled`, () => roll(each));
const several = deployments().filter((each) => podsOf(each).length > 1);
for (const each of several) {
  await stage(load, `a pod of ${each} is deleted`, () => remove(each));
  await stage(load, `a pod of ${each} is evicted, as by a drain`, () => evict(each));
}
// Who was asking the killed process gets no answer: six callers at most.
for (const each of several) await stage(load, `a pod of ${each} is killed`, () => kill(each), 6);
await load.end();
const last = await school.sell();
say(`after all this a course is sold: order ${last.number ?? last.id} is fulfilled`);
if (asked < 10_000) {
  faults += 1;
  say(`FAULT only ${asked} requests were sent`);
}
closeDoor();
say(faults === 0 ? `${asked} requests, all claims hold` : `${faults} claims failed`);
process.exit(faults === 0 ? 0 : 1);
