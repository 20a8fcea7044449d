import { describe, expect, test } from '@jest/globals';
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
  return { api: new CollectedApi(logger as never), lines };
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
    api.receive({ ...other, document: { ...other.document, components: { schemas } } });
    const { schemas: all } = api.merged().components;
    expect(all).toMatchObject({ Error: now, CatalogError: { type: 'string' }, CatalogCatalogError: before });
  });
});

test('services of one process that describe a component differently are a conflict: the process must not start', () => {
  const { api } = gathered();
  api.require(described('auth', '/api/account', now));
  expect(() => api.require(described('catalog', '/api/courses', before))).toThrow(OpenApiConflict);
});
