import { dirname, join } from 'node:path';

/**
 * Where npm put a package that one at `from` depends on: in its own node_modules, or in that of a folder above. Undefined
 * when the lock file does not have it.
 */
function locate(lock, from, name) {
  for (let folder = from; ; folder = folder.includes('/') ? dirname(folder) : '') {
    const at = join(folder, 'node_modules', name);
    if (lock[at]) return at;
    if (folder === '') return undefined;
  }
}

/** The package that an override takes in place of another one (`npm:name@version`); undefined for a mere version. */
const aliased = (override) => /^npm:(@?[^@]+)@/.exec(override ?? '')?.[1];

/** Tells whether a place of the lock file is a workspace, not a package of the registry. */
export const isWorkspace = (place) => !place.startsWith('node_modules/') && !place.includes('/node_modules/');

/**
 * All places of a lock file (its `packages`) that the workspaces at `starts` need when they run, themselves included and
 * workspaces by their folders, and the links to workspaces by their places. `leaves` are places whose dependencies are not
 * followed, `developed` says that the starts need what their development needs, too, `isInstalled` leaves optional
 * packages away, such as those for other platforms, and `overrides` are those of the root manifest. Throws when a package is
 * missing that is not optional.
 */
export function closureOf(lock, starts, options = {}) {
  const { leaves = [], developed = false, isInstalled = () => true, overrides = {} } = options;
  const found = new Set();
  const links = new Map();
  const visit = (place) => {
    if (found.has(place)) return;
    found.add(place);
    if (leaves.includes(place)) return;
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {},
      devDependencies = {},
    } = lock[place];
    const development = developed && starts.includes(place) ? devDependencies : {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies, ...development })) {
      const at = locate(lock, place, aliased(overrides[name]) ?? name);
      const isOptional = name in optionalDependencies || peerDependenciesMeta[name]?.optional === true;
      if (at === undefined) {
        if (!isOptional) throw new Error(`${place} depends on ${name}, which the lock file does not have`);
        continue;
      }
      const { link, resolved } = lock[at];
      if (link) links.set(at, resolved);
      if (isInstalled(at)) visit(link ? resolved : at);
      else if (!isOptional) throw new Error(`${at} is not installed`);
    }
  };
  for (const start of starts) {
    if (!lock[start]) throw new Error(`the lock file has no workspace ${start}`);
    visit(start);
  }
  return { found: [...found].toSorted(), links };
}
