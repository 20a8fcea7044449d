import { describe, expect, test } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
// @ts-expect-error -- the tools of the house are plain JavaScript
import { charts, chartsFolder, serviceNames, writtenFiles } from './chart-folders.mjs';
// @ts-expect-error -- the tools of the house are plain JavaScript
import { secrets } from './schema-parts.mjs';

const root = join(chartsFolder, '../..');
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');

/** Everything inside of a JSON value, with its name. */
function inside(value: unknown): [name: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]): [string, unknown][] => [[name, each], ...inside(each)]);
}

describe('the charts', () => {
  test('every service has one, and the umbrella contains all of them', () => {
    const services = readdirSync(join(root, 'services')).filter((name) => name !== 'all-in-one');
    expect([...serviceNames].toSorted()).toEqual(services.toSorted());
    const { dependencies } = parse(read('deploy/charts/platform/Chart.yaml')) as { dependencies: { name: string }[] };
    expect(dependencies.map(({ name }) => name).toSorted()).toEqual([...services, 'tenancy'].toSorted());
  });

  test('every one has the version of the release, and finds the others beside it', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    for (const chart of [...charts, 'lib']) {
      const described = parse(read('deploy/charts', chart, 'Chart.yaml'));
      expect(described).toMatchObject({ name: chart, version });
      if (chart !== 'lib') expect(described.appVersion).toBe(version);
      for (const { name, version: wanted, repository } of described.dependencies ?? [])
        expect({ name, wanted, repository }).toEqual({ name, wanted: version, repository: `file://../${name}` });
    }
  });
});

describe.each(charts as string[])('the values of the chart %s', (chart) => {
  const files = writtenFiles(chart) as Record<string, string>;
  const schema = JSON.parse(files['values.schema.json']!);

  test('are what npm run charts writes', () => {
    for (const [name, content] of Object.entries(files)) expect(read('deploy/charts', chart, name)).toBe(content);
  });

  test('have a schema that needs nothing from elsewhere', () => {
    expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#');
    expect(inside(schema).filter(([name]) => name === '$ref')).toEqual([]);
  });

  test('refuse unknown names wherever the chart names them itself', () => {
    const open = inside({ schema }).filter(
      ([name, each]) =>
        name !== 'global' &&
        (each as { properties?: object }).properties !== undefined &&
        !('additionalProperties' in (each as object)),
    );
    expect(open).toEqual([]);
  });

  test('have a description each', () => {
    const values = inside(schema.properties).filter(
      ([, each]) => (each as { default?: unknown } | null)?.default !== undefined,
    );
    for (const [name, each] of values)
      expect({ name, ...(each as object) }).toHaveProperty('description', expect.stringMatching(/\w/));
  });
});

test('settings of charts refuse every secret that docs/settings.md has', () => {
  const documented = [...read('docs/settings.md').matchAll(/^\| `([A-Z0-9_]+)`.*; secret\s*\|$/gm)].map(
    ([, name]) => name,
  );
  expect(documented.length).toBeGreaterThan(5);
  expect([...secrets].toSorted()).toEqual(documented.toSorted());
});
