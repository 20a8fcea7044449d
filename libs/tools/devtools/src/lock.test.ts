import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error -- the tools of the house are plain JavaScript
import { lockProblems } from './lock.mjs';

const folder = mkdtempSync(join(tmpdir(), 'lyceum-lock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const digest = `sha512-${'A'.repeat(86)}==`;
const good = { version: '1.0.0', integrity: digest };

/** What is said of a lock file with these entries, all of which are shipped. */
function problemsOf(packages: Record<string, object>, lockfileVersion = 3): string[] {
  const file = join(folder, 'package-lock.json');
  writeFileSync(file, JSON.stringify({ lockfileVersion, packages }));
  return lockProblems(file, Object.keys(packages)) as string[];
}

describe('the lock file', () => {
  test('of this repository has nothing that is refused', () => expect(lockProblems()).toEqual([]));

  test('takes packages with a digest, workspaces, and links to them', () =>
    expect(
      problemsOf({
        '': { name: 'lyceum' },
        'libs/kernel': { name: '@lyceum/kernel', version: '0.1.0' },
        'node_modules/@lyceum/kernel': { resolved: 'libs/kernel', link: true },
        'node_modules/koa': good,
        'node_modules/react-is-18': { ...good, name: 'react-is' },
      }),
    ).toEqual([]));

  test.each([
    ['a download host', { ...good, resolved: 'https://registry.example/koa.tgz' }, 'names a download host'],
    ['a repository', { ...good, resolved: 'git+ssh://git@example.org/koa.git#abc' }, 'comes from git+ssh:'],
    ['a file', { ...good, resolved: 'file:../koa.tgz' }, 'comes from file:'],
    ['no digest', { version: '1.0.0' }, 'has no SHA-512 digest'],
    [
      'a digest that can be forged',
      { ...good, integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' },
      'has no SHA-512 digest',
    ],
    ['no version', { integrity: digest }, 'has no version'],
    ['the name of another package', { ...good, name: 'kaa' }, 'another package stands behind the name'],
    ['a link out of the repository', { resolved: '../elsewhere', link: true }, 'which is no workspace'],
    ['a link by way of a folder above', { resolved: 'libs/../../elsewhere', link: true }, 'which is no workspace'],
    ['a script', { ...good, hasInstallScript: true }, 'runs a script when it is installed'],
    ['a platform that is not locked', { ...good, optionalDependencies: { 'koa-linux': '1.0.0' } }, 'lacks koa-linux'],
  ])('refuses a package with %s', (_, entry, reason) => {
    const problems = problemsOf({ 'node_modules/koa': entry });
    expect(problems).toEqual([expect.stringContaining(reason)]);
    expect(problems[0]).toContain('node_modules/koa');
  });

  test('of another version is refused, because npm would read its entries differently', () =>
    expect(problemsOf({}, 2)).toEqual([expect.stringContaining('has the version 2')]));
});
