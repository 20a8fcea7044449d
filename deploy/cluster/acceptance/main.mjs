// The acceptance: what is claimed of an installation on Kubernetes, on the one that runs here. Exit code 1 when a claim fails.
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startLoad } from './load.mjs';
import { requestsTo } from './requests.mjs';
import { School, base, gateway, openDoor } from './school.mjs';

const namespace = 'lyceum';
const run = promisify(execFile);
/** What kubectl prints. The load goes on meanwhile: it is in this process, which therefore never waits for another one by standing still. */
const kubectl = async (...args) => (await run('kubectl', ['-n', namespace, ...args], { maxBuffer: 2 ** 26 })).stdout;
const read = async (...args) => JSON.parse(await kubectl('get', ...args, '-o', 'json'));

const began = Date.now();
const say = (text) => console.log(`${((Date.now() - began) / 1_000).toFixed(1).padStart(7)} s  ${text}`);
/** Callers at a time, half of which keep their connections. */
const callers = 6;
let faults = 0;
let asked = 0;

/** Whether nothing was sent: a load balancer in front of gateways asks the next one then. */
const isRefused = ([what]) => what.endsWith('ECONNREFUSED');

/**
 * One change under load. Afterwards nothing may have failed; where somebody is killed, as many as ask at once, beside
 * connections that were refused.
 */
async function stage(load, name, change, isKill = false) {
  signed.authorization = `Bearer ${await school.freshToken()}`;
  await change();
  await sleep(2_000);
  const seen = load.look();
  const all = Object.entries(seen.failed);
  const sum = (counted) => counted.reduce((total, [, count]) => total + count, 0);
  const [failed, counted] = [sum(all), sum(isKill ? all.filter((each) => !isRefused(each)) : all)];
  asked += seen.asked;
  const isFault = counted > (isKill ? callers : 0);
  if (isFault) faults += 1;
  say(
    `${isFault ? 'FAULT ' : ''}${name}: ${failed} of ${seen.asked} failed ${failed ? JSON.stringify(seen.failed) : ''}`,
  );
  if (isFault) for (const each of seen.refusals.slice(0, 20)) say(`  ${each}`);
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

/** Empties the second node, as before it is repaired, and lets it have pods again. */
const drain = async () => {
  await run('kubectl', ['drain', 'node2', '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=300s']);
  for (const each of names) await untilReady(each);
  await run('kubectl', ['uncordon', 'node2']);
};

/** Another revision of the whole release, and the way back: every service is rolled at once. */
const helm = (...args) => run('helm', ['-n', namespace, ...args]);
const upgrade = async () => {
  const changed = '--set=global.lyceum.settings.RATE_LIMIT_FACTOR=999';
  await helm('upgrade', 'lyceum', 'deploy/charts/platform', '--reuse-values', changed);
  for (const each of names) await untilReady(each);
};
const rollBack = async () => {
  await helm('rollback', 'lyceum');
  for (const each of names) await untilReady(each);
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
const requests = requestsTo({ host, course: school.course, signed });
const load = startLoad(gateway, requests, { fresh: callers / 2, kept: callers / 2 });
await stage(load, 'nothing changes', () => sleep(10_000));
const deployments = await read('deployments', '-l', 'app.kubernetes.io/part-of=lyceum');
const names = deployments.items.map(({ metadata }) => metadata.name);
for (const each of names) await stage(load, `${each} is rolled`, () => roll(each));
const several = [];
for (const each of names) if ((await podsOf(each)).length > 1) several.push(each);
await stage(load, 'the installation is upgraded', upgrade);
await stage(load, 'the upgrade is rolled back', rollBack);
for (const each of several) await stage(load, `a pod of ${each} is deleted`, () => remove(each));
await stage(load, 'a node is drained', drain);
// Who was asking the killed process gets no answer. Until the cluster notices, connections to it are refused.
for (const each of several) await stage(load, `a pod of ${each} is killed`, () => kill(each), true);
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
