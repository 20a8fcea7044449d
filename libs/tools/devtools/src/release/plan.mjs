// What a release consists of: told by a dry run, done by the workflow of releases.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packedClient } from '../client-package.mjs';
import { servicesWithCharts } from '../workflows.mjs';
import { releasedChangelog, requireLater, sectionOf, versionAfter } from './changelog.mjs';
import { Refused } from './refused.mjs';
import { versionOf, versionProblems, withVersion } from './versions.mjs';

/** What git prints in a folder. */
export function git(folder, ...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Refused(`git ${args[0]} failed: ${stderr.trim()}`);
  return stdout.trim();
}

/** The release that follows: its version (`asked`, or the next one), its notes, and the files that it changes. */
export function planOf(folder, { asked, day }) {
  const problems = versionProblems(folder);
  if (problems.length > 0) throw new Refused(problems.join('\n'));
  const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
  const before = versionOf(folder);
  const notes = sectionOf(changelog, 'Unreleased') ?? '';
  // A version that the changelog does not have was never released.
  const isReleased = sectionOf(changelog, before) !== undefined;
  const version = asked ?? (isReleased ? versionAfter(before, notes) : before);
  if (isReleased || version !== before) requireLater(version, before);
  const files = {
    ...withVersion(folder, version),
    'CHANGELOG.md': releasedChangelog(changelog, version, day),
  };
  if (git(folder, 'tag', '--list', `v${version}`) !== '') throw new Refused(`the tag v${version} exists`);
  return { before, version, notes, files };
}

/** What is pushed and published of a version, as lines. */
export function publishedLines(version) {
  const { name, files, size } = packedClient();
  const services = servicesWithCharts();
  const charts = services.flatMap((each) => each.charts);
  return [
    `tag      v${version}`,
    ...services.map(
      ({ service }) => `push     image lyceum-${service}:${version}, with provenance and bill of materials`,
    ),
    ...charts.map((chart) => `push     chart ${chart} ${version}`),
    `publish  ${name} ${version}, with provenance: ${files.length} files, ${Math.ceil(size / 1_024)} KiB`,
  ];
}

/**
 * Holds a checkout to a tag, or to nothing but itself when there is none: every version, and the section of the changelog.
 * Returns version and notes.
 */
export function verified(folder, tag) {
  const problems = versionProblems(folder);
  const version = versionOf(folder);
  if (tag !== undefined && tag !== `v${version}`) problems.push(`the tag ${tag} is not that of the version ${version}`);
  const section = tag === undefined ? 'Unreleased' : version;
  const notes = sectionOf(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'), section);
  if (!notes) problems.push(`CHANGELOG.md has nothing under “${section}”`);
  if (problems.length > 0) throw new Refused(problems.join('\n'));
  return { version, notes };
}
