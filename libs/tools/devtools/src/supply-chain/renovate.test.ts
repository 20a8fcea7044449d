import { describe, expect, test } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../../../..');
const config = JSON.parse(readFileSync(join(root, 'renovate.json'), 'utf8')) as {
  readonly extends: readonly string[];
  readonly minimumReleaseAge: string;
  readonly lockFileMaintenance: { readonly enabled: boolean; readonly schedule: readonly string[] };
  readonly vulnerabilityAlerts: { readonly enabled: boolean; readonly minimumReleaseAge: null };
  readonly packageRules: readonly {
    readonly description: string;
    readonly groupName?: string | null;
    readonly matchPackageNames?: readonly string[];
  }[];
};

/** Packages that any workspace names itself. */
const used = ['.', ...['libs', 'libs/tools', 'services'].flatMap((parent) => folders(parent))].flatMap((folder) => {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Record<string, object>;
  return Object.keys({ ...manifest['dependencies'], ...manifest['devDependencies'] });
});

function folders(parent: string): string[] {
  return readdirSync(join(root, parent))
    .filter((name) => name !== 'tools')
    .map((name) => `${parent}/${name}`);
}

describe('the updates of packages', () => {
  test('come days after they were published, but for what is known to be vulnerable', () => {
    expect(config.minimumReleaseAge).toBe('7 days');
    expect(config.vulnerabilityAlerts).toMatchObject({ enabled: true, minimumReleaseAge: null });
  });

  test('keep actions and images by digest, and the lock file up to date', () => {
    expect(config.extends).toEqual(
      expect.arrayContaining(['helpers:pinGitHubActionDigestsToSemver', 'docker:pinDigests']),
    );
    expect(config.lockFileMaintenance.enabled).toBe(true);
  });

  test.each(config.packageRules.flatMap(({ matchPackageNames = [] }) => [...matchPackageNames]))(
    'have a rule for %s, which is used',
    (name) => {
      const begin = name.endsWith('/**') ? name.slice(0, -2) : undefined;
      expect(used.some((each) => (begin === undefined ? each === name : each.startsWith(begin)))).toBe(true);
    },
  );
});
