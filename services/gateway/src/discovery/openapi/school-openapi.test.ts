import { describe, expect, test } from '@jest/globals';
import { scopeNames } from '@lyceum/contracts';
import { OpenApiConflict, type ServiceDescription, mergeApis, openApi } from './school-openapi.ts';
import { publicApi, describedPaths } from './public-documents.ts';
import { serviceOf } from '../../routing/service-of-path.ts';

const ownerOf = (path: string): string | undefined => (describedPaths.includes(path) ? 'gateway' : serviceOf(path));
const site = {
  name: 'Lantern',
  baseUrl: 'https://school.example',
  docsUrl: 'https://docs.example/',
  limitFactor: 1,
  hasMcp: false,
};
const listed = { get: { operationId: 'listCourses', security: [{}, { oauth2: ['courses:read'] }], responses: {} } };
const catalog = (more: object = {}): ServiceDescription => ({
  service: 'catalog',
  document: { paths: { '/api/courses': listed }, ...more },
});
const school = (more: object = {}): ServiceDescription => ({
  service: 'school',
  document: { paths: { '/api/school': {} }, ...more },
});
const own: ServiceDescription = { service: 'gateway', document: publicApi() };

describe('openapi', () => {
  test('OpenAPI 3.0 §4.7: one document holds what all services and the gateway describe', () => {
    const document = openApi(mergeApis([own, catalog(), school()], ownerOf), site);
    expect(document['openapi']).toBe('3.0.3');
    expect(document['info']).toMatchObject({ title: 'Lantern', 'x-locale': 'en' });
    expect(document['servers']).toEqual([{ url: 'https://school.example' }]);
    expect(Object.keys(document['paths'] as object)).toEqual([
      ...Object.keys(publicApi()['paths'] as object),
      '/api/courses',
      '/api/school',
    ]);
  });

  test('OpenAPI 3.0 §4.7.27: the security schemes are those of the school, with every scope', () => {
    const { components } = openApi(mergeApis([own], ownerOf), site) as {
      components: Record<string, Record<string, never>>;
    };
    const { oauth2, openIdConnect } = components['securitySchemes'] as Record<string, Record<string, never>>;
    const flow = oauth2!['flows']!['authorizationCode'] as Record<string, unknown>;
    expect(flow).toMatchObject({
      authorizationUrl: 'https://school.example/oauth/authorize',
      tokenUrl: 'https://school.example/api/oauth/token',
      refreshUrl: 'https://school.example/api/oauth/token',
    });
    expect(Object.keys(flow['scopes'] as object)).toEqual(scopeNames);
    expect(openIdConnect!['openIdConnectUrl']).toBe('https://school.example/.well-known/openid-configuration');
  });

  test('a component that two services describe alike stands once', () => {
    const components = { schemas: { Error: { type: 'object' } } };
    expect(mergeApis([catalog({ components }), school({ components })], ownerOf).components).toEqual(components);
  });

  test('a component that two services describe differently is a conflict', () => {
    const one = catalog({ components: { schemas: { Error: { type: 'object' } } } });
    const two = school({ components: { schemas: { Error: { type: 'string' } } } });
    expect(() => mergeApis([one, two], ownerOf)).toThrow(OpenApiConflict);
  });

  test('components of one name in two sections are two things', () => {
    const one = catalog({ components: { schemas: { Error: { type: 'object' } } } });
    const two = school({ components: { responses: { Error: { description: 'No' } } } });
    expect(Object.keys(mergeApis([one, two], ownerOf).components)).toEqual(['schemas', 'responses']);
  });

  test('a path that the gateway sends elsewhere is a conflict, so is one that it sends nowhere', () => {
    for (const path of ['/api/courses/x', '/api/nothing', '/openapi.json'])
      expect(() => mergeApis([{ service: 'school', document: { paths: { [path]: {} } } }], ownerOf)).toThrow(
        OpenApiConflict,
      );
  });

  test('a tag that two services describe differently is a conflict, one that both use alike is not', () => {
    const tagged = (description: string) => ({ tags: [{ name: 'courses', description }] });
    expect(mergeApis([catalog(tagged('a')), school(tagged('a'))], ownerOf).tags).toHaveLength(1);
    expect(() => mergeApis([catalog(tagged('a')), school(tagged('b'))], ownerOf)).toThrow(OpenApiConflict);
  });

  test('an operation that asks for an unknown security scheme is a conflict', () => {
    const paths = { '/api/courses': { get: { security: [{ apiKey: [] }] } } };
    expect(() => mergeApis([{ service: 'catalog', document: { paths } }], ownerOf)).toThrow(/apiKey/);
  });

  test('names of the language itself are names like others', () => {
    const paths = JSON.parse('{"/api/courses": {}}');
    const components = JSON.parse('{"schemas": {"constructor": {"type": "object"}, "toString": {"type": "string"}}}');
    const merged = mergeApis([{ service: 'catalog', document: { paths, components } }], ownerOf);
    expect(Object.keys(merged.components['schemas']!)).toEqual(['constructor', 'toString']);
  });
});
