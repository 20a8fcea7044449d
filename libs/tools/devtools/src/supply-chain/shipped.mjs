// What leaves this repository: the packages that images, the client and the commands of operators consist of.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closureOf, isWorkspace } from './closure.mjs';

const root = join(import.meta.dirname, '../../../../..');

/** Reads a JSON file of the repository, or of another folder that looks like it. */
const json = (folder, name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

/** The `packages` of the lock file: entries by place. */
export const lockedPackages = (folder = root) => json(folder, 'package-lock.json').packages;

/** The folders of all workspaces, as the lock file has them. */
export const workspacesOf = (lock) =>
  Object.keys(lock)
    .filter((place) => place !== '' && isWorkspace(place))
    .toSorted();

/** What people run: all services, the client, the operator's command line, and the root, whose compiler `npm start` calls. */
const isRun = (workspace) => /^services\/|^libs\/(client|tools\/operator)$/.test(workspace);

/**
 * Places of the packages that are shipped, on whatever platform. What is bundled in files that browsers get is among them,
 * because its licence goes with these files.
 */
export function shippedPackages(folder = root) {
  const lock = lockedPackages(folder);
  const { overrides } = json(folder, 'package.json');
  const starts = ['', ...workspacesOf(lock).filter(isRun)];
  return closureOf(lock, starts, { overrides }).found.filter((place) => !isWorkspace(place));
}

/** Folders of the workspaces that one workspace needs to be built and tested, itself included. */
export function neededWorkspaces(workspace, folder = root) {
  const { overrides } = json(folder, 'package.json');
  return closureOf(lockedPackages(folder), [workspace], { overrides, developed: true }).found.filter(isWorkspace);
}
