// The acceptance: what is claimed of an installation on Kubernetes, on the one that runs here. Exit code 1 when a claim fails.
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startLoad } from './load.mjs';
import { School, base, gateway, openDoor } from './school.mjs';

const namespace = 'lyceum';
const run = promisify(execFile);
/** What kubectl prints. The load goes on meanwhile: it is in this process, which therefore never waits for another one by standing still. */
const kubectl = async (...args) => (await run('kubectl', ['-n', namespace, ...args], { maxBuffer: 2 ** 26 })).stdout;
const read = async (...args) => JSON.parse(await kubectl('get', ...args, '-o', 'json'));

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

const podsOf = async (deployment) => {
  const { spec } = await read('deployment', deployment);
  const labels = Object.entries(spec.selector.matchLabels).map((pair) => pair.join('='));
  return (await read('pods', '-l', labels.join(','))).items;
};
const isReady = (pod) => pod.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
async function untilReady(deployment) {
  await kubectl('rollout', 'status', `deployment/${deployment}`, '--timeout=300s');
  for (let tries = 0; tries < 600 && !(await podsOf(deployment)).every(isReady); tries += 1) await sleep(500);
}

const roll = async (deployment) => {
  await kubectl('rollout', 'restart', `deployment/${deployment}`);
  await untilReady(deployment);
};

const remove = async (deployment) => {
  const [pod] = await podsOf(deployment);
  await kubectl('delete', 'pod', pod.metadata.name, '--wait=true');
  await untilReady(deployment);
};

/** What a drain of a node does to its pods, one after the other; the one node here cannot be left without any. */
const evict = async (deployment) => {
  const [pod] = await podsOf(deployment);
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod.metadata.name, namespace } };
  const path = `/api/v1/namespaces/${namespace}/pods/${pod.metadata.name}/eviction`;
  const asked = run('kubectl', ['create', '--raw', path, '-f', '-']);
  asked.child.stdin.end(JSON.stringify(eviction));
  await asked;
  await sleep(1_000);
  await untilReady(deployment);
};

/** SIGKILL of the processes of a pod, from outside of it. */
const kill = async (deployment) => {
  const [pod] = await podsOf(deployment);
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
const deployments = await read('deployments', '-l', 'app.kubernetes.io/part-of=lyceum');
const names = deployments.items.map(({ metadata }) => metadata.name);
for (const each of names) await stage(load, `${each} is rolled`, () => roll(each));
const several = [];
for (const each of names) if ((await podsOf(each)).length > 1) several.push(each);
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
