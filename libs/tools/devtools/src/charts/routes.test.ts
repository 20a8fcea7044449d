import { expect, test } from '@jest/globals';
import {
  type Values,
  describeRendered,
  ownValues,
  podsOf,
  refusal,
  rendered,
  renderedAnew,
  serviceNames,
  valuesOf,
} from './rendered.ts';

const small = valuesOf('small');
const routed = (chart: string, routes: Values): Values => {
  const own = ownValues(small, chart);
  return { ...own, global: { lyceum: { ...own['global'].lyceum, routes } } };
};

/** The environment of the processes of a chart, each variable with a value once. */
const environmentOf = (chart: string, routes: Values): Record<string, string | undefined> => {
  const pods = podsOf(rendered(chart, routed(chart, routes))).filter(
    ({ labels }) => labels['app.kubernetes.io/component'] !== 'test',
  );
  expect(pods.length).toBeGreaterThan(0);
  return Object.assign(
    {},
    ...pods.map(({ spec }) => Object.fromEntries(spec.containers[0].env.map((each) => [each.name, each.value]))),
  );
};

const badges = {
  '/api/study_badges': { service: 'study-library' },
  '/api/badges': { service: 'study-library' },
  '/api/diplomas': { service: 'learning' },
  '/api/far': { service: 'far', url: 'https://far.example:8443' },
};

describeRendered('routes of services that teams add', () => {
  test.each(['gateway', 'auth'])('%s knows them, each with where it is', (chart) => {
    expect(environmentOf(chart, badges)).toMatchObject({
      ROUTES: '/api/badges=study-library,/api/diplomas=learning,/api/far=far,/api/study_badges=study-library',
      STUDY_LIBRARY_URL: 'http://study-library:8080',
      LEARNING_URL: 'http://learning:8080',
      FAR_URL: 'https://far.example:8443',
    });
  });

  test('no other service is replaced because of them', () => {
    const others = serviceNames.filter((name) => name !== 'gateway' && name !== 'auth');
    expect(others.length).toBeGreaterThan(5);
    for (const chart of others)
      expect(renderedAnew(chart, routed(chart, badges), 'one')).toBe(renderedAnew(chart, routed(chart, {}), 'one'));
  });

  test('without any there is no such setting; one that is taken back is none', () => {
    expect(environmentOf('gateway', {})).not.toHaveProperty('ROUTES');
    expect(environmentOf('gateway', { '/api/badges': null })).not.toHaveProperty('ROUTES');
  });

  test.each<[what: string, routes: Values, named: RegExp]>([
    ['a path outside of /api/', { '/mcp': { service: 'library' } }, /\/mcp/],
    ['a path of two segments', { '/api/library/badges': { service: 'library' } }, /library\/badges/],
    ['a path with a line break', { '/api/badges\n': { service: 'library' } }, /badges/],
    ['no service', { '/api/badges': { url: 'http://library:8080' } }, /service/],
    ['a name that is none', { '/api/badges': { service: 'Library' } }, /service/],
    ['an entry of its own', { '/api/badges': { service: 'library,/api/courses=library' } }, /service/],
    ['an address that is no origin', { '/api/badges': { service: 'library', url: 'http://library:8080/api' } }, /url/],
    ['an address of another kind', { '/api/badges': { service: 'library', url: 'ftp://library' } }, /url/],
    ['a name that no route has', { '/api/badges': { service: 'library', port: 8080 } }, /port/],
    [
      'a service at two addresses',
      { '/api/a': { service: 'library' }, '/api/b': { service: 'library', url: 'http://other:8080' } },
      /library is at two addresses/,
    ],
  ])('%s is refused', (_, routes, named) => expect(refusal('gateway', routed('gateway', routes))).toMatch(named));

  test('the setting itself is refused: there is one way', () => {
    const values = { ...ownValues(small, 'gateway'), settings: { ROUTES: '/api/badges=library' } };
    expect(refusal('gateway', values)).toMatch(/ROUTES/);
  });
});
