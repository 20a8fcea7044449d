// The acceptance on the cluster: a school is provisioned, its owner signs in, a course is bought; then everything is rolled,
// deleted and killed under load. It runs in the box, where the addresses of Services exist.
import { join } from 'node:path';
import { box, here } from './places.mjs';
import { kubectl, secrets } from './installation.mjs';

/** Runs the acceptance; throws when a claim does not hold. */
export async function accept() {
  const addresses = Object.fromEntries(
    JSON.parse(kubectl('get', 'services', '-o', 'json')).items.map(({ metadata, spec }) => [
      metadata.name,
      `${spec.clusterIP}:${spec.ports[0].port}`,
    ]),
  );
  const { OPERATOR_TOKEN } = secrets();
  const more = { OPERATOR_TOKEN, SERVICES: JSON.stringify(addresses) };
  box(['node', join(here, 'acceptance/main.mjs')], { inherit: true, more });
}
