import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error -- the tools of the house are plain JavaScript
import { findHelm } from '../charts/helm.mjs';
// @ts-expect-error -- the tools of the house are plain JavaScript
import { releasedChangelog, requireLater, sectionOf, versionAfter } from './changelog.mjs';
// @ts-expect-error -- the tools of the house are plain JavaScript
import { versionProblems } from './versions.mjs';

jest.setTimeout(240_000);
const root = join(import.meta.dirname, '../../../../..');

describe('the next version', () => {
  test.each([
    ['0.1.0', '### Fixed\n- a', '0.1.1'],
    ['0.1.4', '### Security\n- a\n### Fixed\n- b', '0.1.5'],
    ['0.1.4', '### Removed\n- a', '0.2.0'],
    ['0.9.9', '### Added for operators\n- a\n### Fixed\n- b', '0.10.0'],
    ['1.2.3', '### Added\n- a', '1.3.0'],
    ['1.2.3', '### Fixed\n- a', '1.2.4'],
    ['1.2.3', '### Fixed\n- a\n### Removed\n- b', '2.0.0'],
  ])('after %s with %j is %s', (version, section, next) => expect(versionAfter(version, section)).toBe(next));

  test.each(['0.1.0', '0.0.9', '1.0', 'v0.2.0', '0.2.0-rc.1', '0.02.0', ''])('after 0.1.0 cannot be “%s”', (version) =>
    expect(() => requireLater(version, '0.1.0')).toThrow(/is no version|does not come after/),
  );
});

describe('the changelog', () => {
  const before = '# Changelog\n\n## Unreleased\n\n### Fixed\n\n- a\n\n## 0.1.0 - 2026-01-01\n\n### Added\n\n- b\n';

  test('gets a section for what was unreleased, and room for what follows', () => {
    const after = releasedChangelog(before, '0.1.1', '2026-02-03') as string;
    expect(after).toContain('## Unreleased\n\n## 0.1.1 - 2026-02-03\n\n### Fixed\n\n- a\n\n## 0.1.0 - 2026-01-01');
    expect([sectionOf(after, 'Unreleased'), sectionOf(after, '0.1.1')]).toEqual(['', '### Fixed\n\n- a']);
  });

  test('is not released twice, nor with nothing in it', () => {
    expect(() => releasedChangelog(before, '0.1.0', '2026-02-03')).toThrow('has a section 0.1.0 already');
    const after = releasedChangelog(before, '0.1.1', '2026-02-03') as string;
    expect(() => releasedChangelog(after, '0.1.2', '2026-02-04')).toThrow('has nothing under “Unreleased”');
  });
});

test('every place that names the version of this repository agrees', () => expect(versionProblems(root)).toEqual([]));

describe('npm run release in a clone', () => {
  const clone = mkdtempSync(join(tmpdir(), 'lyceum-release-'));
  afterAll(() => rmSync(clone, { recursive: true, force: true }));
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
      cwd: clone,
      encoding: 'utf8',
    });
  const read = (file: string): string => readFileSync(join(clone, file), 'utf8');
  const run = (...args: string[]): [status: number | null, output: string] => {
    const command = ['libs/tools/devtools/src/release/main.mjs', ...args];
    const { status, stdout, stderr } = spawnSync('node', command, { cwd: clone, encoding: 'utf8' });
    return [status, stdout + stderr];
  };

  // What is in the working tree, committed or not, so that a change is tested before it is committed.
  beforeAll(() => {
    const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
    const files = execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 24 }).split('\0');
    for (const file of files.filter((each) => each !== '' && !/\/src\/.*\.(ts|html)$/.test(each)))
      cpSync(join(root, file), join(clone, file));
    for (const file of files.filter((each) => each.endsWith('/openapi/openapi.ts')))
      cpSync(join(root, file), join(clone, file));
    cpSync(join(root, 'libs/client/dist'), join(clone, 'libs/client/dist'), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    git('init', '--quiet', '--initial-branch=main');
    writeFileSync(join(clone, '.git/info/exclude'), 'node_modules\n');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'All');
  });

  test('tells what a dry run would change, tag, push and publish, and changes nothing', () => {
    const [status, output] = run('--dry-run', '--version', '7.8.9');
    expect([status, output]).toEqual([0, expect.stringContaining('Release 7.8.9, after 0.')]);
    expect(output).toContain('would tag      v7.8.9\n');
    for (const service of readdirSync(join(root, 'services')))
      expect(output).toContain(`would push     image lyceum-${service}:7.8.9, with provenance and bill of materials`);
    expect(output).toMatch(/would publish {2}@lyceum\/client 7\.8\.9, with provenance: [1-9]\d+ files, \d+ KiB/);
    expect(git('status', '--porcelain')).toBe('');
  });

  test('refuses what is no release: a version that came before, a working tree with changes', () => {
    expect(run('--dry-run', '--version', '0.0.1')).toEqual([1, expect.stringContaining('does not come after')]);
    expect(run('--dry-run', '--versoin', '7.8.9')).toEqual([1, expect.stringContaining('--versoin')]);
    writeFileSync(join(clone, 'README.md'), 'changed');
    expect(run('--version', '7.8.9')).toEqual([1, expect.stringContaining('working tree has changes')]);
    git('checkout', '--quiet', 'README.md');
  });

  test('makes what is unreleased a version of every workspace, chart and image, and the tag is held to it', () => {
    const notes = sectionOf(read('CHANGELOG.md'), 'Unreleased') as string;
    const [status, output] = run('--version', '7.8.9');
    expect([status, output]).toEqual([0, expect.stringContaining("git tag --sign v7.8.9 --message 'Release 7.8.9'")]);
    expect(sectionOf(read('CHANGELOG.md'), '7.8.9')).toBe(notes);
    expect(versionProblems(clone)).toEqual([]);
    expect(JSON.parse(read('services/auth/package.json'))).toMatchObject({ version: '7.8.9' });
    expect(read('deploy/charts/platform/Chart.yaml')).not.toMatch(/ersion: 0\./);
    if (findHelm() !== undefined) expect(read('deploy/golden/small/auth.yaml')).toContain('lyceum-auth:7.8.9');
    // Nothing but versions changed: every line that is new names the version, but for the heading of the changelog.
    const added = git('diff', '--unified=0', '--', ':!CHANGELOG.md').match(/^\+(?!\+\+).*/gm) ?? [];
    expect(added.length).toBeGreaterThan(80);
    expect(added.filter((line) => !line.includes('7.8.9'))).toEqual([]);

    git('commit', '--quiet', '--all', '--message', 'Release 7.8.9');
    git('tag', 'v7.8.9');
    const [outputs, told] = [join(clone, 'outputs'), join(clone, 'notes.md')];
    expect(run('--verify', '--tag', 'v7.8.9', '--output', outputs, '--notes', told)[0]).toBe(0);
    expect(readFileSync(told, 'utf8')).toBe(`${notes}\n`);
    const [version, services] = readFileSync(outputs, 'utf8').trim().split('\n');
    expect(version).toBe('version=7.8.9');
    expect(JSON.parse(services!.replace('services=', ''))).toContainEqual({ service: 'auth', charts: 'auth' });
  });

  test('refuses a tag of another version, and one whose charts are of another version', () => {
    expect(run('--verify', '--tag', 'v7.9.0')).toEqual([
      1,
      expect.stringContaining('v7.9.0 is not that of the version'),
    ]);
    writeFileSync(
      join(clone, 'deploy/charts/auth/Chart.yaml'),
      read('deploy/charts/auth/Chart.yaml').replace('7.8.9', '7.8.8'),
    );
    expect(run('--verify', '--tag', 'v7.8.9')).toEqual([
      1,
      expect.stringContaining('deploy/charts/auth/Chart.yaml is not of the version 7.8.9'),
    ]);
  });
});
