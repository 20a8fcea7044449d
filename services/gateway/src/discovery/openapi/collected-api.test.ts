import { describe, expect, test } from '@jest/globals';
import { serviceFinder } from '../../routing/service-of-path.ts';
import { CollectedApi } from './collected-api.ts';
import { type ServiceDescription, OpenApiConflict } from './school-openapi.ts';

type Json = Record<string, unknown>;

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const problem = (schema: string) => ({
  description: 'No',
  content: { 'application/problem+json': { schema: ref(schema) } },
});
const errorOf = (...codes: readonly string[]) => ({ type: 'object', properties: { error: { enum: codes } } });

/** A service with one operation, whose answers lead to `Error` directly and through the response `Refused`. */
const described = (service: string, path: string, error: object, more: Json = {}): ServiceDescription => ({
  service,
  document: {
    paths: {
      [path]: { get: { operationId: service, responses: { 404: problem('Error'), 409: refused } } },
    },
    components: { schemas: { Error: error }, responses: { Refused: problem('Error') } },
    ...more,
  },
});
const refused = { $ref: '#/components/responses/Refused' };

function gathered() {
  const lines: unknown[] = [];
  const logger = { error: (about: unknown) => lines.push(about), warn: () => undefined };
  return { api: new CollectedApi(logger as never, serviceFinder(new Map([['/api/badges', 'a-library']]))), lines };
}

const before = errorOf('not_found');
const now = errorOf('not_found', 'outcome_unknown');

describe('services of two releases', () => {
  test('that describe a component differently are all told, each with its own', () => {
    const { api, lines } = gathered();
    expect(api.receive(described('auth', '/api/account', now))).toBe(true);
    expect(api.receive(described('catalog', '/api/courses', before))).toBe(true);
    expect(api.receive(described('school', '/api/school', now))).toBe(true);
    const { paths, components } = api.merged();
    expect(lines).toEqual([]);
    expect(components['schemas']).toMatchObject({ Error: now, CatalogError: before });
    expect(components['responses']).toMatchObject({
      Refused: problem('Error'),
      CatalogRefused: problem('CatalogError'),
    });
    expect(Object.keys(components['schemas']!)).not.toContain('SchoolError');
    const responses = (path: string) => (paths[path] as { get: { responses: Json } }).get.responses;
    expect(responses('/api/courses')).toMatchObject({
      404: problem('CatalogError'),
      409: { $ref: '#/components/responses/CatalogRefused' },
    });
    expect(responses('/api/school')).toMatchObject({ 404: problem('Error'), 409: refused });
  });

  test('are told alike whoever answers first, and as one again when all are of one release', () => {
    const parts = [
      described('auth', '/api/account', now),
      described('catalog', '/api/courses', before),
      described('school', '/api/school', now),
    ];
    const [one, other] = [gathered().api, gathered().api];
    for (const part of parts) one.receive(part);
    for (const part of parts.toReversed()) other.receive(part);
    expect(other.merged().components).toEqual(one.merged().components);
    one.receive(described('catalog', '/api/courses', now));
    expect(Object.keys(one.merged().components['schemas']!).filter((name) => name.endsWith('Error'))).toEqual([
      'Error',
    ]);
  });

  test('do not lose a description to a path that this gateway leads nowhere, or to a tag in other words', () => {
    const { api, lines } = gathered();
    const tags = (description: string) => ({ tags: [{ name: 'courses', description }] });
    api.receive(described('auth', '/api/account', now, tags('Courses')));
    const newer = described('catalog', '/api/courses', now, tags('All courses'));
    const paths = { ...(newer.document['paths'] as Json), '/api/invented-later': {} };
    expect(api.receive({ ...newer, document: { ...newer.document, paths } })).toBe(true);
    expect(lines).toEqual([]);
    expect(Object.keys(api.merged().paths)).toContain('/api/courses');
    expect(Object.keys(api.merged().paths)).not.toContain('/api/invented-later');
    expect(api.merged().tags).toContainEqual({ name: 'courses', description: 'Courses' });
  });

  test('lose no description to a name that is taken already', () => {
    const { api } = gathered();
    api.receive(described('auth', '/api/account', now));
    const other = described('catalog', '/api/courses', before);
    const schemas = { Error: before, CatalogError: { type: 'string' } };
    const components = other.document['components'] as Json;
    api.receive({ ...other, document: { ...other.document, components: { ...components, schemas } } });
    const { schemas: all } = api.merged().components;
    expect(all).toMatchObject({ Error: now, CatalogError: { type: 'string' }, CatalogCatalogError: before });
  });
});

test('services of one process that describe a component differently are a conflict: the process must not start', () => {
  const { api } = gathered();
  api.require(described('auth', '/api/account', now));
  expect(() => api.require(described('catalog', '/api/courses', before))).toThrow(OpenApiConflict);
});

describe('a service that a team adds', () => {
  const added = (document: unknown): ServiceDescription => ({
    service: 'a-library',
    document: document as Json,
    isAdded: true,
  });
  const badges = (operation: unknown, more: Json = {}) =>
    added({ paths: { '/api/badges': { get: operation } }, ...more });
  const sound = { operationId: 'listBadges', responses: { 200: { description: 'Badges' } } };
  const shipped = () => [described('auth', '/api/account', now), described('catalog', '/api/courses', before)];

  test('is described with the others', () => {
    const { api } = gathered();
    for (const each of [...shipped(), badges(sound)]) expect(api.receive(each)).toBe(true);
    expect(api.merged().paths).toHaveProperty(['/api/badges', 'get', 'operationId'], 'listBadges');
  });

  test('changes nothing of what the others are described as, whoever answers first', () => {
    const { api } = gathered();
    for (const each of shipped()) api.receive(each);
    const alone = api.merged();
    const schemas = { Error: { type: 'string' } };
    const its = badges(
      { ...sound, responses: { 404: problem('Error') } },
      { components: { schemas }, tags: [{ name: 'courses', description: 'Mine' }] },
    );
    const paths = { ...(its.document['paths'] as Json), '/api/courses': { get: { ...sound, operationId: 'mine' } } };
    for (const order of [
      [its, ...shipped()],
      [...shipped(), its],
    ]) {
      const { api: mixed } = gathered();
      for (const each of order) mixed.receive(each === its ? { ...its, document: { ...its.document, paths } } : each);
      const { paths: all, components } = mixed.merged();
      const { '/api/badges': own, ...others } = all;
      expect(others).toEqual(alone.paths);
      expect(own).toMatchObject({ get: { responses: { 404: problem('ALibraryError') } } });
      expect(components['schemas']).toEqual({ ...alone.components['schemas'], ALibraryError: { type: 'string' } });
    }
  });

  test('that takes the id of an operation is left out, be it there first', () => {
    const taking = badges({ ...sound, operationId: 'catalog' });
    const [late, early] = [gathered(), gathered()];
    for (const each of shipped()) late.api.receive(each);
    expect(late.api.receive(taking)).toBe(false);
    expect(early.api.receive(taking)).toBe(true);
    for (const each of shipped()) expect(early.api.receive(each)).toBe(true);
    for (const { api } of [late, early]) {
      expect(Object.keys(api.merged().paths)).toContain('/api/courses');
      expect(Object.keys(api.merged().paths)).not.toContain('/api/badges');
    }
    expect(late.lines).toHaveLength(1);
  });

  const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`);
  test.each([
    ['no document', null],
    ['a list', []],
    ['a text', 'openapi'],
    ['paths that are none', { paths: ['/api/badges'] }],
    ['a path that is none', { paths: { '/api/badges': null } }],
    ['components that are none', { paths: {}, components: 'all' }],
    ['a section that is none', { paths: {}, components: { schemas: [] } }],
    ['tags that are none', { paths: {}, tags: [{ name: 5 }] }],
    ['more levels than a stack has', { paths: {}, 'x-deep': deep }],
    ['more parts than are looked at', { paths: {}, 'x-many': Array.from({ length: 200_001 }, () => []) }],
    ['the prototype', JSON.parse('{"paths":{},"components":{"schemas":{"__proto__":{"type":"object"}}}}')],
  ])('that describes itself as %s is left out', (_, document) => {
    const { api, lines } = gathered();
    for (const each of shipped()) api.receive(each);
    const alone = api.merged();
    expect(api.receive(badges(sound))).toBe(true);
    expect(api.receive(added(document))).toBe(false);
    expect(lines).toHaveLength(1);
    // What it said before stays.
    const { '/api/badges': own, ...others } = api.merged().paths;
    expect([others, own !== undefined]).toEqual([alone.paths, true]);
  });

  test.each([
    ['nothing', null],
    ['no id', { responses: sound.responses }],
    ['no responses', { operationId: 'x' }],
    ['responses that are none', { operationId: 'x', responses: { 200: 'fine' } }],
    ['security that is none', { ...sound, security: 'none' }],
    ['a requirement that is none', { ...sound, security: [{ oauth2: 'all' }] }],
    ['an unknown scheme', { ...sound, security: [{ mine: [] }] }],
    ['parameters that are none', { ...sound, parameters: [5] }],
    ['tags that are none', { ...sound, tags: 'badges' }],
    ['servers of its own', { ...sound, servers: [{ url: 'https://elsewhere.example' }] }],
    ['callbacks', { ...sound, callbacks: {} }],
    ['a reference to another document', { ...sound, requestBody: { $ref: 'https://elsewhere.example/all.json' } }],
    ['a reference to nothing', { ...sound, responses: { 404: problem('Nowhere') } }],
    ['a reference to what every object has', { ...sound, responses: { 404: problem('constructor') } }],
  ])('whose operation has %s is left out', (_, operation) => {
    const { api, lines } = gathered();
    expect([api.receive(badges(operation)), lines.length]).toEqual([false, 1]);
    expect(Object.keys(api.merged().paths)).not.toContain('/api/badges');
  });

  test('whose path has something else than operations is left out', () => {
    const { api } = gathered();
    expect(api.receive(added({ paths: { '/api/badges': { get: sound, parameters: [] } } }))).toBe(false);
  });
});
