import { describe as group, expect, test } from '@jest/globals';
import { errors, scopeNames } from '@lyceum/contracts';
import { z } from 'zod';
import { describe, listOf, listQuery, operation } from '../index.ts';

const block = z
  .object({
    text: z.string(),
    get kids() {
      return z.array(block).optional();
    },
  })
  .meta({ id: 'Block' });
const thing = z
  .object({
    id: z.string().meta({ example: 'thing_1' }),
    note: z.string().nullable().meta({ sees: 'staff' }),
    block: block.nullable(),
    made_at: z.iso.datetime(),
  })
  .meta({ id: 'Thing', description: 'A thing' });
const params = z.object({ thing: z.string().meta({ description: 'Id', example: 'thing_1' }) });
const handle = async () => ({});
const base = { area: 'courses', summary: 'A test operation', status: 200 } as const;

const operations = [
  operation({
    ...base,
    id: 'listThings',
    method: 'GET',
    path: '/api/things',
    scope: 'courses:read',
    anonymous: true,
    query: z.strictObject({ ...listQuery, level: z.enum(['easy', 'hard']).optional(), q: z.string() }),
    reply: listOf(thing),
    handle,
  }),
  operation({
    ...base,
    id: 'createThing',
    method: 'POST',
    path: '/api/things',
    scope: 'courses:write',
    anonymous: false,
    roles: ['owner'],
    body: z
      .strictObject({ title: z.string(), block: block.optional() })
      .meta({ id: 'CreateThing', examples: [{ title: 'x' }] }),
    status: 201,
    reply: thing,
    errors: ['slug_taken'],
    handle,
  }),
  operation({
    ...base,
    id: 'readThing',
    method: 'GET',
    path: '/api/things/{thing}',
    scope: 'courses:read',
    anonymous: true,
    params,
    reply: thing,
    handle,
  }),
  operation({
    ...base,
    id: 'replaceThing',
    method: 'PUT',
    path: '/api/things/{thing}',
    scope: 'courses:write',
    anonymous: false,
    params,
    body: thing,
    ifMatch: 'required',
    reply: thing,
    handle,
  }),
  operation({
    ...base,
    id: 'removeThing',
    method: 'DELETE',
    path: '/api/things/{thing}',
    scope: 'courses:write',
    anonymous: false,
    params,
    status: 204,
    ifMatch: 'accepted',
    handle,
  }),
  operation({ ...base, id: 'readNews', method: 'GET', path: '/api/news', anonymous: true, reply: thing, handle }),
];

/** Whatever `JSON.parse` gives: the test walks the document freely. */
type Any = ReturnType<typeof JSON.parse>;
const document = describe('test', operations) as Any;
const at = (method: string, path: string): Any => document.paths[path][method];
const resolve = ({ $ref }: { $ref: string }): Any =>
  $ref
    .slice(2)
    .split('/')
    .reduce((part: Any, key) => part[key], document);
const errorsOf = (method: string, path: string): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries<Any>(at(method, path).responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, response]) => [status, Object.keys(resolve(response).content['application/json'].examples)]),
  );

group('the OpenAPI document', () => {
  test('OAS 3.0.3: has the version, paths and operations of the declarations', () => {
    expect(document.openapi).toBe('3.0.3');
    expect(Object.keys(document.paths)).toEqual(['/api/things', '/api/things/{thing}', '/api/news']);
    expect(at('get', '/api/things')).toMatchObject({
      operationId: 'listThings',
      summary: 'A test operation',
      tags: ['courses'],
    });
  });

  test('every reference leads somewhere, stands alone, and nothing of other dialects is left', () => {
    const visit = (part: unknown, inside = ''): void => {
      if (typeof part !== 'object' || part === null) return;
      if ('$ref' in part) {
        expect(Object.keys(part)).toEqual(['$ref']);
        expect(resolve(part as { $ref: string })).toBeDefined();
      }
      for (const [key, value] of Object.entries(part)) {
        expect(['$schema', '$defs', 'definitions', 'sees', 'const', 'patternProperties']).not.toContain(key);
        if (inside === 'schema') expect(key).not.toBe('examples');
        visit(value, key);
      }
    };
    visit(document);
  });

  test('schemas with an id are components, once, also when they contain themselves', () => {
    expect(Object.keys(document.components.schemas).sort()).toEqual([
      'Block',
      'CreateThing',
      'Error',
      'ErrorDetail',
      'Problem',
      'Thing',
      'ThingInput',
      'ThingViewed',
      'View',
      'Viewed',
    ]);
    expect(document.components.schemas.Block.properties.kids.items).toEqual({ $ref: '#/components/schemas/Block' });
    expect(document.components.schemas.ThingInput.properties.block.anyOf[0]).toEqual({
      $ref: '#/components/schemas/Block',
    });
    expect(
      at('get', '/api/things').responses['200'].content['application/json'].schema.allOf[0].properties.data.items,
    ).toEqual({ $ref: '#/components/schemas/Thing' });
    expect(document.components.schemas.CreateThing.example).toEqual({ title: 'x' });
  });

  test('replies may grow, say their view, and do not promise what lesser views lack', () => {
    const { Thing, CreateThing } = document.components.schemas;
    expect(Thing.required).toEqual(['id', 'block', 'made_at']);
    expect(Thing.additionalProperties).toBeUndefined();
    expect(Thing.properties.note).toEqual({ type: 'string', nullable: true, 'x-sees': 'staff' });
    expect(Thing.properties.made_at).toEqual({ type: 'string', format: 'date-time' });
    expect(CreateThing.additionalProperties).toBe(false);
    const schema = at('get', '/api/things/{thing}').responses['200'].content['application/json'].schema;
    expect(schema).toEqual({ $ref: '#/components/schemas/ThingViewed' });
    expect(document.components.schemas.ThingViewed).toEqual({
      allOf: [{ $ref: '#/components/schemas/Thing' }, { $ref: '#/components/schemas/Viewed' }],
    });
  });

  test('OpenAPI 3.0.3 §4.7.24.2: nullable stands beside a type, also where something named may be missing', () => {
    expect(document.components.schemas.Thing.properties.block).toEqual({
      anyOf: [{ $ref: '#/components/schemas/Block' }, { type: 'object', nullable: true, enum: [null] }],
    });
  });

  test('security names the scope, and anonymous operations also work without', () => {
    expect(at('get', '/api/things').security).toEqual([{ oauth2: ['courses:read'] }, {}]);
    expect(at('post', '/api/things').security).toEqual([{ oauth2: ['courses:write'] }]);
    expect(at('get', '/api/news').security).toEqual([{ oauth2: [] }, {}]);
    const flow = document.components.securitySchemes.oauth2.flows.authorizationCode;
    expect(flow).toMatchObject({ authorizationUrl: '/oauth/authorize', tokenUrl: '/api/oauth/token' });
    expect(Object.keys(flow.scopes)).toEqual(scopeNames);
  });

  test('parameters come from the schemas', () => {
    const [limit, cursor, level, q] = at('get', '/api/things').parameters;
    expect(limit).toMatchObject({
      name: 'limit',
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    });
    expect(cursor).toMatchObject({ name: 'cursor', required: false });
    expect(level.schema).toEqual({ type: 'string', enum: ['easy', 'hard'] });
    expect(q.required).toBe(true);
    expect(at('get', '/api/things/{thing}').parameters[0]).toEqual({
      name: 'thing',
      in: 'path',
      required: true,
      description: 'Id',
      schema: { type: 'string', example: 'thing_1' },
    });
  });

  test('request headers: keys on writes, versions where they count', () => {
    const names = (method: string, path: string) =>
      at(method, path)
        .parameters.filter((each: Any) => each.$ref)
        .map((each: Any) => resolve(each))
        .map(({ name, required }: Any) => (required ? `${name}!` : name));
    expect(names('post', '/api/things')).toEqual(['Idempotency-Key']);
    expect(names('put', '/api/things/{thing}')).toEqual(['Idempotency-Key', 'If-Match!']);
    expect(names('delete', '/api/things/{thing}')).toEqual(['Idempotency-Key', 'If-Match']);
    expect(names('get', '/api/things/{thing}')).toEqual(['If-None-Match']);
    expect(names('get', '/api/things')).toEqual(['Consistency-Token', 'Prefer']);
  });

  test('every error that can happen is listed under its status, with an example', () => {
    expect(errorsOf('post', '/api/things')).toEqual({
      400: ['invalid_request'],
      401: ['invalid_token'],
      403: ['access_denied', 'insufficient_scope'],
      404: ['not_found'],
      409: ['idempotency_in_progress', 'slug_taken'],
      410: ['school_closed'],
      413: ['payload_too_large'],
      415: ['unsupported_media_type'],
      422: ['idempotency_key_reused', 'validation_failed'],
      429: ['rate_limited'],
      500: ['server_error'],
      503: ['outcome_unknown', 'school_suspended', 'temporarily_unavailable'],
    });
    expect(errorsOf('put', '/api/things/{thing}')).toMatchObject({
      412: ['precondition_failed'],
      428: ['precondition_required'],
    });
    expect(errorsOf('get', '/api/news')).not.toHaveProperty('403');
    for (const [code, example] of Object.entries<Any>(document.components.examples)) {
      expect(example.value.error).toBe(code);
      expect(errors).toHaveProperty(code);
    }
  });

  test('RFC 6750 §3: 401 and 403 for a scope carry a challenge', () => {
    const headersOf = (status: string) => resolve(at('post', '/api/things').responses[status]).headers;
    expect(headersOf('401')).toHaveProperty('WWW-Authenticate');
    expect(headersOf('403')).toHaveProperty('WWW-Authenticate');
    expect(headersOf('404')).not.toHaveProperty('WWW-Authenticate');
    expect(headersOf('503')).toHaveProperty('Retry-After');
    const { headers } = at('post', '/api/things').responses['201'];
    expect(Object.keys(headers)).toEqual(['X-Request-Id', 'Consistency-Token', 'ETag', 'Location']);
  });

  test('is a fresh copy each time', () => {
    const changed = describe('test', operations) as Any;
    changed.components.headers.ETag.description = 'changed';
    changed.components.schemas.Error.properties.error.enum.length = 0;
    expect(describe('test', operations)).toEqual(document);
  });
});

test('a component that is written otherwise than it is read has two entries, and so has whatever holds it', () => {
  const leaf = z.object({ at: z.string().default('now') }).meta({ id: 'Leaf' });
  const holder = z.object({ leaf }).meta({ id: 'Holder' });
  const write = operation({
    ...base,
    id: 'writeLeaf',
    method: 'POST',
    path: '/api/a',
    anonymous: true,
    body: holder,
    reply: holder,
    handle,
  });
  const read = operation({
    ...base,
    id: 'readLeaf',
    method: 'GET',
    path: '/api/a',
    anonymous: true,
    reply: holder,
    handle,
  });
  for (const order of [
    [write, read],
    [read, write],
  ]) {
    const { schemas } = (describe('test', order) as Any).components;
    expect(schemas.Holder.properties.leaf).toEqual({ $ref: '#/components/schemas/Leaf' });
    expect(schemas.HolderInput.properties.leaf).toEqual({ $ref: '#/components/schemas/LeafInput' });
    expect([schemas.Leaf.required, schemas.LeafInput.required]).toEqual([['at'], undefined]);
  }
});
