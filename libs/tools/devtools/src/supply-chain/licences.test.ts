import { describe, expect, test } from '@jest/globals';
// @ts-expect-error -- the tools of the house are plain JavaScript
import { licenceProblems } from './licences.mjs';
// @ts-expect-error -- the tools of the house are plain JavaScript
import { neededWorkspaces, shippedPackages } from './shipped.mjs';

const known = { version: '3.0.4', license: 'PSF-2.0' };

/** What is said of one package with a licence, beside the one that the exceptions name. */
function problemsOf(license?: string): string[] {
  const lock = {
    'node_modules/argparse': known,
    'node_modules/left': { version: '1.2.3', ...(license === undefined ? {} : { license }) },
  };
  return licenceProblems(lock, Object.keys(lock)) as string[];
}

describe('the licences of what is shipped', () => {
  test('are all in the list, and each exception is needed', () => expect(licenceProblems()).toEqual([]));

  test.each(['MIT', '(GPL-3.0-only OR MIT)', 'Apache-2.0 AND BSD-3-Clause', '(MIT AND (ISC OR LGPL-3.0-only))'])(
    'may be %s',
    (license) => expect(problemsOf(license)).toEqual([]),
  );

  test.each([
    'GPL-3.0-only',
    'AGPL-3.0-or-later',
    'MIT AND GPL-2.0-only',
    'SEE LICENSE IN LICENSE.txt',
    'UNLICENSED',
    '',
  ])('may not be “%s”: the package is named with its place', (license) => {
    const [problem, ...others] = problemsOf(license);
    expect(problem).toContain(`left 1.2.3 has the licence ${license}`);
    expect(problem).toContain('node_modules/left');
    expect(others).toEqual([]);
  });

  test('may not be left out', () =>
    expect(problemsOf()).toEqual([expect.stringContaining('left 1.2.3 says no licence')]));

  test('that are taken by an exception are those of that package alone', () => {
    const lock = { 'node_modules/argparse': known, 'node_modules/other': known };
    expect(licenceProblems(lock, Object.keys(lock))).toEqual([expect.stringContaining('other 3.0.4')]);
  });

  test('leave no exception behind that nothing needs', () =>
    expect(licenceProblems({}, [])).toEqual([expect.stringContaining('argparse PSF-2.0 is not needed any more')]));
});

describe('what is shipped', () => {
  const shipped = shippedPackages() as string[];

  test('holds what services, browsers and operators get', () => {
    for (const name of ['koa', 'libsql', 'openapi-explorer', 'openapi-resolver', 'openapi-fetch', 'typescript'])
      expect(shipped).toContain(`node_modules/${name}`);
  });

  test('holds nothing that only tests need, although it is no development dependency of theirs', () => {
    for (const name of ['testcontainers', 'playwright-core', 'jest', 'oidc-provider'])
      expect(shipped).not.toContain(`node_modules/${name}`);
  });
});

describe('the workspaces that one needs', () => {
  test('are itself, its libraries, theirs, and those of its tests', () => {
    const needed = neededWorkspaces('services/catalog') as string[];
    expect(needed).toEqual(expect.arrayContaining(['services/catalog', 'libs/kernel', 'libs/tools/testkit-service']));
    expect(needed).not.toContain('services/auth');
    expect(needed).not.toContain('libs/client');
  });

  test('of the whole system hold every service', () =>
    expect(neededWorkspaces('services/all-in-one')).toEqual(
      expect.arrayContaining(['services/auth', 'services/media']),
    ));

  test('are refused for a folder that is none', () =>
    expect(() => neededWorkspaces('services/nothing')).toThrow('the lock file has no workspace services/nothing'));
});
