import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import type { Projection } from '@lyceum/documents';
import type { AnyModule, Projected } from '@lyceum/service';
import { services } from './services.ts';

/** The version of a read model that is released, and the one before it. */
interface Released {
  readonly version: number;
  readonly previous?: number;
}

type Services = readonly Pick<AnyModule, 'name' | 'projected'>[];

const modelsOf = ({ projections = [], follows = [] }: Projected): readonly Projection[] => [
  ...projections,
  ...follows.map(({ projection }) => projection),
];

/** Each read model by `<service>/<name>`, with the versions before it that the service keeps up to date. */
const declared = (services: Services) =>
  services.flatMap(({ name: service, projected = [] }) =>
    projected.flatMap(modelsOf).map(({ collection: { name, version } }) => ({
      name: `${service}/${name}`,
      version,
      before: projected
        .flatMap(({ previousProjections = [] }) => previousProjections)
        .flatMap(({ collection }) => (collection.name === name ? [collection.version] : [])),
    })),
  );

/** What is wrong between the read models and those that are released, as sentences. Empty = nothing. */
function versionFaults(services: Services, released: Readonly<Record<string, Released>>): readonly string[] {
  return declared(services).flatMap(({ name, version, before }) => {
    const known = released[name];
    const previous = known?.version === version ? known.previous : known?.version;
    const faults = [];
    if (previous !== undefined && !before.includes(previous))
      faults.push(
        `${name} is at version ${version}: keep the projection of version ${previous} in previousProjections`,
      );
    if (known?.version !== version) faults.push(`${name} is at a new version: npm run golden notes it`);
    return faults;
  });
}

/** The released versions after this release. A version that is not kept up to date meanwhile is not moved. */
function noted(services: Services, released: Readonly<Record<string, Released>>): Readonly<Record<string, Released>> {
  const after = { ...released };
  for (const { name, version, before } of declared(services)) {
    const known = released[name];
    if (!known) after[name] = { version };
    else if (known.version !== version && before.includes(known.version))
      after[name] = { version, previous: known.version };
  }
  return after;
}

const file = fileURLToPath(new URL('read-models.golden.json', import.meta.url));
const read = () => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Released>) : {});
if (process.env['GOLDEN'] === 'add') writeFileSync(file, `${JSON.stringify(noted(services, read()), null, 2)}\n`);

const model = (version: number): Projection => ({
  collection: { name: 'courses', version, fields: {} },
  key: () => undefined,
  project: () => null,
});
const release = (version: number, ...before: number[]): Services => [
  { name: 'catalog', projected: [{ projections: [model(version)], previousProjections: before.map(model) }] },
];

describe('the versions of read models', () => {
  test('a read model whose version changes keeps the one before up to date while it is built', () => {
    expect(declared(services).length).toBeGreaterThan(8);
    expect(versionFaults(services, read())).toEqual([]);
  });

  test('a changed version without its predecessor is noticed, and cannot be noted down', () => {
    const released = { 'catalog/courses': { version: 1 } };
    expect(versionFaults(release(2), released)[0]).toContain('keep the projection of version 1');
    expect(noted(release(2), released)).toEqual(released);
    const after = noted(release(2, 1), released);
    expect(versionFaults(release(2, 1), after)).toEqual([]);
    expect(versionFaults(release(2), after)).toHaveLength(1);
    expect(versionFaults(release(3, 2), noted(release(3, 2), after))).toEqual([]);
  });
});
