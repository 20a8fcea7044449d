// Where the time of a test run went, for whoever wants a shorter one.
import { relative } from 'node:path';

/** Suites that are told. */
const told = 10;

/** Lines for the suites of jest reports that took longest, the longest first. */
export function slowest(suites, root = process.cwd()) {
  const seconds = ({ startTime, endTime }) => (endTime - startTime) / 1_000;
  const ran = suites.filter(({ endTime }) => endTime > 0).toSorted((a, b) => seconds(b) - seconds(a));
  const total = ran.reduce((sum, suite) => sum + seconds(suite), 0);
  return [
    `slowest of ${ran.length} suites, which took ${total.toFixed(0)} s one after another:`,
    ...ran.slice(0, told).map((suite) => `${seconds(suite).toFixed(1).padStart(8)} s  ${relative(root, suite.name)}`),
  ];
}
