// The acceptance on the cluster: a school is provisioned, its owner signs in, a course is bought; then everything is rolled,
// deleted and killed under load. It runs in the box, where the addresses of Services exist.
import { join } from 'node:path';
import { box, here } from './places.mjs';
import { installEach, kubectl, orders, secrets } from './installation.mjs';

/** Runs one part of the acceptance on what is installed; throws when a claim does not hold. */
function run(part) {
  const addresses = Object.fromEntries(
    JSON.parse(kubectl('get', 'services', '-o', 'json')).items.map(({ metadata, spec }) => [
      metadata.name,
      `${spec.clusterIP}:${spec.ports[0].port}`,
    ]),
  );
  const { OPERATOR_TOKEN } = secrets();
  const more = { OPERATOR_TOKEN, SERVICES: JSON.stringify(addresses) };
  box(['node', join(here, `acceptance/${part}.mjs`)], { inherit: true, more });
}

/** The acceptance of all services in one release. */
export const accept = () => run('one-release');

/** Installs each service by itself, in several orders, each time into an empty namespace, and tries what it comes to. */
export function acceptEach() {
  for (const order of orders()) {
    installEach(order);
    run('releases');
  }
}
