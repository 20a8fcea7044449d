import { readFileSync } from 'node:fs';

/**
 * What is wrong with the lock file: entries that name a download host, and optional platform packages that are not
 * locked (a later `npm ci` on that platform would fail).
 */
export function lockProblems(file = 'package-lock.json') {
  const { packages } = JSON.parse(readFileSync(file, 'utf8'));
  const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const locked = new Set(Object.keys(packages).map(nameOf));
  return Object.entries(packages).flatMap(([path, entry]) => [
    ...(/^https?:/.test(entry.resolved ?? '') ? [`${path} names a download host`] : []),
    ...Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !locked.has(name))
      .map((name) => `${path} lacks ${name}: pin a version whose platform packages are all published`),
  ]);
}
