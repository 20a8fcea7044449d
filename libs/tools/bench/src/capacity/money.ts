import type { Given, Prices } from './assumptions.ts';
import type { RoleNeed } from './processors.ts';
import type { Storage } from './storage.ts';

/** Money for a month, by what it is for. */
export interface Money {
  readonly lyceum: number;
  readonly engines: number;
  readonly disks: number;
  readonly files: number;
  readonly traffic: number;
  readonly total: number;
  readonly perSchool: number;
  readonly perLearner: number;
}

const gigabyte = 1e9;

/** What machines, disks and traffic cost in a month. */
export function moneyOf(
  given: Given,
  prices: Prices,
  ours: readonly RoleNeed[],
  engines: readonly RoleNeed[],
  stored: Storage,
): Money {
  const machines = (needs: readonly RoleNeed[]): number =>
    needs.reduce((sum, { cores, memory }) => sum + cores * prices.core + memory * prices.memoryGb, 0);
  const parts = {
    lyceum: machines(ours),
    engines: machines(engines),
    disks: ((stored.database + stored.kafka) / gigabyte) * prices.diskGb,
    files: (stored.files / gigabyte) * prices.fileGb,
    traffic: (stored.traffic / gigabyte) * prices.trafficGb,
  };
  const total = Object.values(parts).reduce((sum, part) => sum + part, 0);
  return { ...parts, total, perSchool: total / given.schools, perLearner: total / given.learners };
}
