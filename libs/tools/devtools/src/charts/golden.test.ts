import { expect, test } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Rendered,
  describeRendered,
  golden,
  goldenParts,
  helmOn,
  ofKind,
  ownValues,
  platform,
  rendered,
  renderedAnew,
  serviceNames,
  sizes,
  valuesFile,
  valuesOf,
} from './rendered.ts';

const belongsTo = (service: string) => (object: Rendered) =>
  object.metadata.labels['app.kubernetes.io/name'] === service;

describeRendered('what Helm renders of deploy/charts', () => {
  test.each(sizes)('is, with deploy/values/%s.yaml, what the golden files have (npm run charts)', (size) => {
    const parts = goldenParts(size);
    for (const { file, text } of parts.map((chart) => golden(size, chart)))
      expect({ file, text: readFileSync(file, 'utf8') }).toEqual({ file, text });
    const folder = join(golden(size, parts[0]!).file, '..');
    expect(readdirSync(folder).toSorted()).toEqual(parts.map((chart) => `${chart}.yaml`).toSorted());
  });

  test.each(sizes)('is without a warning of helm lint --strict, with deploy/values/%s.yaml', (size) =>
    expect(helmOn('platform', 'lint', '--strict', 'platform', '--values', valuesFile(size))).toMatch(
      / 0 chart\(s\) failed/,
    ),
  );

  test('is the same, byte by byte, when it is rendered again, and whatever the release is called', () => {
    const values = valuesOf('large');
    const once = renderedAnew('platform', values, 'a-release');
    expect(once.length).toBeGreaterThan(10_000);
    expect(renderedAnew('platform', values, 'a-release')).toBe(once);
    expect(renderedAnew('platform', values, 'another-name')).toBe(once);
  });

  test.each(sizes)('is, for each service alone, what the umbrella has of it, with the values of %s', (size) => {
    const whole = platform(size);
    const values = valuesOf(size);
    for (const service of serviceNames) {
      const own = rendered(service, ownValues(values, service));
      const part = [...whole].filter(([, object]) => belongsTo(service)(object));
      expect(part.length).toBeGreaterThan(3);
      expect(part).toEqual([...own]);
    }
  });

  test('has, of a service in roles, what auth has but for names, secrets and destinations', () => {
    const values = valuesOf('large');
    const shape = (service: string) =>
      [...rendered(service, ownValues(values, service)).values()]
        .filter(({ kind }) => !['NetworkPolicy', 'Service', 'Pod'].includes(kind))
        .map((object) => {
          const text = JSON.stringify(object, (name, value) => (name === 'env' ? [] : value));
          return text.replaceAll(`"${service}`, '"auth').replaceAll(`/lyceum-${service}:`, '/lyceum-auth:');
        });
    const parted = serviceNames.filter((name) => !['gateway', 'media'].includes(name));
    expect(parted.length).toBeGreaterThan(5);
    for (const service of parted) expect({ service, shape: shape(service) }).toEqual({ service, shape: shape('auth') });
  });

  test('selects the pods of a workload by these labels, which no release may ever change', () => {
    const selectors = ofKind(platform('large'), 'Deployment').map(({ metadata, spec }) => [
      metadata.name,
      spec.selector,
    ]);
    expect(selectors).toEqual(
      [...selectors.keys()].map((index) => {
        const name = selectors[index]![0] as string;
        const [, service, component] = /^(.+)-(http|consumer|relay)$/.exec(name)!;
        const matchLabels = {
          'app.kubernetes.io/name': service,
          'app.kubernetes.io/instance': 'lyceum',
          'app.kubernetes.io/component': component,
        };
        return [name, { matchLabels }];
      }),
    );
    expect(selectors.map(([name]) => name)).toEqual(
      serviceNames
        .flatMap((name) =>
          (name === 'gateway' ? ['http'] : ['consumer', 'http', 'relay']).map((role) => `${name}-${role}`),
        )
        .toSorted(),
    );
  });
});
