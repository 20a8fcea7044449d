import { setTimeout as pause } from 'node:timers/promises';
import { type KnownSchool, knownSchool } from './known-school.ts';

/** Looks that are had for a school, and milliseconds between two. */
const [looks, between] = [40, 50];

/**
 * Resolves when all of a school is here: other services are told of one once it is. What follows from the news of a new
 * school is mostly a moment earlier than the read model of schools, so that has its time before the work counts as failed.
 */
export async function arrived(school: string, ports: Parameters<typeof knownSchool>[0]): Promise<KnownSchool> {
  for (let left = looks; left > 1; left -= 1) {
    const known = await knownSchool(ports, school).catch(() => undefined);
    if (known) return known;
    await pause(between);
  }
  return knownSchool(ports, school);
}
