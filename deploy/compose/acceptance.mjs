// The acceptance on containers: a school is provisioned, its owner signs in, a course is bought; then containers are stopped,
// made anew and killed under load. It runs in the box, where the published ports are those of 127.0.0.1.
import { join } from 'node:path';
import { box } from '../cluster/places.mjs';
import { settings } from './installation.mjs';

/** Runs the acceptance; throws when a claim does not hold. */
export function accept() {
  const addresses = {
    gateway: '127.0.0.1:8080',
    'school-operator': '127.0.0.1:8081',
    'auth-operator': '127.0.0.1:8082',
    'commerce-operator': '127.0.0.1:8083',
  };
  const more = { ...settings(), SERVICES: JSON.stringify(addresses) };
  box(['node', join(import.meta.dirname, 'acceptance/main.mjs')], { inherit: true, more });
}
