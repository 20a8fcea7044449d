// CHANGELOG.md in the format of Keep a Changelog: what is unreleased, and what it becomes.
import { Refused } from './refused.mjs';

/** The body of a section (`Unreleased`, or a version), without its heading; undefined where there is none. */
export function sectionOf(changelog, name) {
  const lines = changelog.split('\n');
  const from = lines.findIndex((line) => line === `## ${name}` || line.startsWith(`## ${name} - `));
  if (from < 0) return undefined;
  const length = lines.slice(from + 1).findIndex((line) => line.startsWith('## '));
  return lines
    .slice(from + 1, length < 0 ? undefined : from + 1 + length)
    .join('\n')
    .trim();
}

/** The changelog after a release: what was unreleased belongs to the version. Refuses where there is nothing to release. */
export function releasedChangelog(changelog, version, day) {
  if (!sectionOf(changelog, 'Unreleased')) throw new Refused('CHANGELOG.md has nothing under “Unreleased”');
  if (sectionOf(changelog, version) !== undefined) throw new Refused(`CHANGELOG.md has a section ${version} already`);
  return changelog.replace(/^## Unreleased$/m, `## Unreleased\n\n## ${version} - ${day}`);
}

/** What kinds of changes a section tells of: `Added`, `Fixed` and so on. */
const kindsOf = (section) => [...section.matchAll(/^### (\w+)/gm)].map(([, kind]) => kind);

const numbersOf = (version) => {
  const found = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(version);
  if (!found) throw new Refused(`${version} is no version: MAJOR.MINOR.PATCH`);
  return found.slice(1).map(Number);
};

/**
 * The version after one by Semantic Versioning, for what a section tells; before 1.0.0 a minor one may break what there was.
 */
export function versionAfter(version, section) {
  const [major, minor, patch] = numbersOf(version);
  const kinds = kindsOf(section);
  if (major > 0 && kinds.includes('Removed')) return `${major + 1}.0.0`;
  if (kinds.every((kind) => kind === 'Fixed' || kind === 'Security')) return `${major}.${minor}.${patch + 1}`;
  return `${major}.${minor + 1}.0`;
}

/** Refuses a version that does not follow another one. */
export function requireLater(version, before) {
  const [one, other] = [numbersOf(version), numbersOf(before)];
  const index = one.findIndex((number, at) => number !== other[at]);
  if (index < 0 || one[index] < other[index]) throw new Refused(`${version} does not come after ${before}`);
}
