// The acceptance: what is claimed of an installation on Kubernetes, on the one that runs here. Exit code 1 when a claim fails.
import { setTimeout as sleep } from 'node:timers/promises';
import { deployments, drain, helm, kill, podsOf, remove, roll, untilReady } from './deployments.mjs';
import { underLoad } from './stages.mjs';

const names = await deployments();
const several = [];
for (const each of names) if ((await podsOf(each)).length > 1) several.push(each);
const allReady = async () => {
  for (const each of names) await untilReady(each);
};

/** Another revision of the whole release, and the way back: every service is rolled at once. */
const upgrade = async () => {
  const changed = '--set=global.lyceum.settings.RATE_LIMIT_FACTOR=999';
  await helm('upgrade', 'lyceum', 'deploy/charts/platform', '--reuse-values', changed);
  await allReady();
};
const rollBack = async () => {
  await helm('rollback', 'lyceum');
  await allReady();
};

await underLoad(10_000, async (stage) => {
  await stage('nothing changes', () => sleep(10_000));
  for (const each of names) await stage(`${each} is rolled`, () => roll(each));
  await stage('the installation is upgraded', upgrade);
  await stage('the upgrade is rolled back', rollBack);
  for (const each of several) await stage(`a pod of ${each} is deleted`, () => remove(each));
  await stage('a node is drained', () => drain('node2', names));
  // Who was asking the killed process gets no answer. Until the cluster notices, connections to it are refused.
  for (const each of several) await stage(`a pod of ${each} is killed`, () => kill(each), true);
});
