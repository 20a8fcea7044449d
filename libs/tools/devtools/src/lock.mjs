import { readFileSync } from 'node:fs';
import { isWorkspace } from './supply-chain/closure.mjs';
import { shippedPackages } from './supply-chain/shipped.mjs';

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/**
 * What is wrong with one entry of a package: npm must take it from the registry that it is set to, by the digest of what
 * was reviewed, and under the name that it is imported by.
 */
function entryProblems(path, { resolved, integrity, name, version }) {
  return [
    ...(/^https?:/.test(resolved ?? '') ? [`${path} names a download host`] : []),
    ...(resolved !== undefined && !/^https?:/.test(resolved)
      ? [`${path} comes from ${resolved}: only what a registry has can be taken`]
      : []),
    ...(/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '') ? [] : [`${path} has no SHA-512 digest (integrity)`]),
    ...(/^\d+\.\d+\.\d+/.test(version ?? '') ? [] : [`${path} has no version`]),
    ...(name !== undefined && name !== nameOf(path) && !isVersionOf(path, name)
      ? [`${path} is ${name}: another package stands behind the name`]
      : []),
  ];
}

/** Whether an alias says whose it is: packages have several versions of one under its name and a suffix. */
const isVersionOf = (path, name) => nameOf(path).split('/').at(-1).startsWith(`${name}-`);

/**
 * What is wrong with the lock file: entries that name a download host, that come from elsewhere than a registry, that have
 * no digest or another name; optional platform packages that are not locked (a later `npm ci` on that platform would fail);
 * and packages that are shipped and run a script when they are installed.
 */
export function lockProblems(file = 'package-lock.json', shipped = shippedPackages()) {
  const { packages, lockfileVersion } = JSON.parse(readFileSync(file, 'utf8'));
  const locked = new Set(Object.keys(packages).map(nameOf));
  return [
    ...(lockfileVersion === 3
      ? []
      : [`${file} has the version ${lockfileVersion}, not 3: use the npm of package.json`]),
    ...Object.entries(packages).flatMap(([path, entry]) => [
      ...(path === '' || isWorkspace(path) ? [] : entry.link ? linkProblems(path, entry) : entryProblems(path, entry)),
      ...Object.keys(entry.optionalDependencies ?? {})
        .filter((name) => !locked.has(name))
        .map((name) => `${path} lacks ${name}: pin a version whose platform packages are all published`),
    ]),
    ...shipped
      .filter((path) => packages[path]?.hasInstallScript)
      .map((path) => `${path} runs a script when it is installed, and is shipped: nothing may need one`),
  ];
}

/** A link leads to a workspace, nowhere else. */
const linkProblems = (path, { resolved }) =>
  /^(libs|services)\/[\w/-]+$/.test(resolved ?? '') ? [] : [`${path} is a link to ${resolved}, which is no workspace`];
