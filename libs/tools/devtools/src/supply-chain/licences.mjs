// npm run licences: the licences of all packages that are shipped, and those that this project does not take.
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import satisfies from 'spdx-satisfies';
import { lockedPackages, shippedPackages } from './shipped.mjs';

/** Licences that go with Apache-2.0 and ask for no more than a notice, by their SPDX identifiers. */
const taken = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
];

/** Packages whose licence is not in the list, by name and licence, and why they are taken all the same. */
const exceptions = {
  'argparse PSF-2.0':
    'the licence of Python, which Python-2.0 names with its history: permissive, asks for the notice; inside of openapi-explorer',
};

const nameOf = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Whether an SPDX expression can be fulfilled by licences that are taken. What is no such expression cannot. */
function isTaken(expression) {
  try {
    return satisfies(expression, taken);
  } catch {
    return false;
  }
}

/** What is wrong with the licences of packages, as sentences, each with the name of the package. */
export function licenceProblems(lock = lockedPackages(), places = shippedPackages()) {
  const used = new Set();
  const problems = places.flatMap((place) => {
    const { license, version } = lock[place];
    const known = `${nameOf(place)} ${license}`;
    if (exceptions[known]) used.add(known);
    if (license !== undefined && (isTaken(license) || exceptions[known])) return [];
    const what = license === undefined ? 'says no licence' : `has the licence ${license}`;
    return [`${nameOf(place)} ${version} ${what}, which is not in the list of those that are taken (${place})`];
  });
  const idle = Object.keys(exceptions).filter((known) => !used.has(known));
  return [...problems, ...idle.map((known) => `the exception for ${known} is not needed any more: remove it`)];
}

/** How many packages have which licence, those of most packages first. */
function counts() {
  const lock = lockedPackages();
  const count = new Map();
  for (const place of shippedPackages()) {
    const licence = lock[place].license ?? 'none';
    count.set(licence, (count.get(licence) ?? 0) + 1);
  }
  return [...count].toSorted(([, one], [, other]) => other - one);
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  for (const [licence, count] of counts()) console.log(`${String(count).padStart(5)}  ${licence}`);
  const problems = licenceProblems();
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
