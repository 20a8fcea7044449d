// Deployments of the installation, and what may happen to their pods.
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const namespace = 'lyceum';
const run = promisify(execFile);
// The load goes on meanwhile: it is in this process, which therefore never waits for another one by standing still.
const kubectl = async (...args) => (await run('kubectl', ['-n', namespace, ...args], { maxBuffer: 2 ** 26 })).stdout;
const read = async (...args) => JSON.parse(await kubectl('get', ...args, '-o', 'json'));
/** Runs Helm on the releases of the installation. */
export const helm = (...args) => run('helm', ['-n', namespace, ...args]);

/** The names of all Deployments of Lyceum. */
export const deployments = async () =>
  (await read('deployments', '-l', 'app.kubernetes.io/part-of=lyceum')).items.map(({ metadata }) => metadata.name);

export const podsOf = async (deployment) => {
  const { spec } = await read('deployment', deployment);
  const labels = Object.entries(spec.selector.matchLabels).map((pair) => pair.join('='));
  return (await read('pods', '-l', labels.join(','))).items;
};

const isReady = (pod) => pod.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');

export async function untilReady(deployment) {
  await kubectl('rollout', 'status', `deployment/${deployment}`, '--timeout=300s');
  for (let tries = 0; tries < 600 && !(await podsOf(deployment)).every(isReady); tries += 1) await sleep(500);
}

export async function roll(deployment) {
  await kubectl('rollout', 'restart', `deployment/${deployment}`);
  await untilReady(deployment);
}

/** Deletes a pod, as one who wants another one does. */
export async function remove(deployment) {
  const [pod] = await podsOf(deployment);
  await kubectl('delete', 'pod', pod.metadata.name, '--wait=true');
  await untilReady(deployment);
}

/** SIGKILL of the processes of a pod, from outside of it. */
export async function kill(deployment) {
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
}

/** Empties a node, as before it is repaired, and lets it have pods again. */
export async function drain(node, all) {
  await run('kubectl', ['drain', node, '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=300s']);
  for (const each of all) await untilReady(each);
  await run('kubectl', ['uncordon', node]);
}
