import { oauthPaths, scopes } from '@lyceum/contracts';
import { z } from 'zod';
import { OpenapiErrors, errorSchemas } from './openapi-errors.ts';
import { headerComponents, parameterComponents, replyHeaders, requestHeaders } from './openapi-headers.ts';
import { type Json, OpenapiSchemas } from './openapi-schemas.ts';
import { withExpansions } from '../operations/expansion.ts';
import type { Operation } from '../operations/operation.ts';
import { isList, ofEach } from '../operations/prepared.ts';
import { selects, takesNames } from '../lists/selection.ts';

/**
 * The OpenAPI 3.0.3 document of a service, from the very schemas that parse its requests and filter its replies. A fresh
 * copy on every call.
 */
export function describe(service: string, operations: readonly Operation[]): Record<string, unknown> {
  const schemas = new OpenapiSchemas();
  const failures = new OpenapiErrors();
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const entry = describeOperation(operation, schemas, failures);
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: entry };
  }
  const settled = schemas.settle(paths);
  const areas = [...new Set(operations.map(({ area }) => area))];
  return {
    openapi: '3.0.3',
    info: { title: `Lyceum: ${service}`, version: '0.1.0' },
    tags: areas.map((name) => ({ name })),
    paths: settled.part,
    components: structuredClone({
      schemas: { ...settled.components, ...errorSchemas },
      responses: failures.responses,
      examples: failures.examples,
      headers: headerComponents,
      parameters: parameterComponents,
      securitySchemes: { oauth2: securityScheme() },
    }),
  };
}

const view = z.enum(['anonymous', 'member', 'staff']).meta({
  id: 'View',
  description: 'How much of it the caller sees: an agent that forgot its token gets `anonymous`',
});

/** What every answer of the API says beside what it is. */
const viewed = z.object({ view }).meta({ id: 'Viewed' });

const securityScheme = (): Json => ({
  type: 'oauth2',
  description: 'Authorization code with PKCE (S256). Clients register themselves.',
  flows: {
    authorizationCode: {
      authorizationUrl: oauthPaths.authorize,
      tokenUrl: oauthPaths.token,
      refreshUrl: oauthPaths.token,
      scopes: Object.fromEntries(Object.entries(scopes).map(([name, { grants }]) => [name, grants])),
    },
  },
});

function describeOperation(operation: Operation, schemas: OpenapiSchemas, failures: OpenapiErrors): Json {
  const { id, area, summary, description, scope, anyScope, anonymous, roles, query, status, pending } = operation;
  const lists = isList(operation);
  const alternatives = anyScope ? anyScope.map((each) => [each]) : [scope === undefined ? [] : [scope]];
  const failed = failures.of(operation);
  return {
    operationId: id,
    tags: [area],
    summary,
    ...(description === undefined ? {} : { description }),
    security: [...alternatives.map((each) => ({ oauth2: each })), ...(anonymous ? [{}] : [])],
    ...(roles ? { 'x-roles': [...roles] } : {}),
    parameters: [
      ...parameters('path', pathParameters(operation), schemas),
      ...parameters('query', query?.shape ?? {}, schemas),
      ...requestHeaders(operation, lists),
    ],
    ...requestBody(operation, schemas),
    responses: {
      [String(status)]: success(operation, lists, schemas),
      ...(pending === undefined ? {} : { '202': { ...success(operation, lists, schemas), description: pending } }),
      ...(operation.method === 'GET' && operation.reply && !lists ? { '304': { description: 'Not modified' } } : {}),
      ...failed,
    },
  };
}

const text: Json = { schema: { type: 'string' } };

function requestBody({ body, takes }: Pick<Operation, 'body' | 'takes'>, schemas: OpenapiSchemas): Json {
  if (!body && takes === undefined) return {};
  const content = {
    ...(body ? { 'application/json': { schema: schemas.of(body, 'input') } } : {}),
    ...(takes === undefined ? {} : { [takes]: text }),
  };
  return { requestBody: { required: !body?.safeParse(undefined).success, content } };
}

function success(operation: Operation, lists: boolean, schemas: OpenapiSchemas): Json {
  const { reply, path, gives } = operation;
  const answer = { description: operation.summary, headers: replyHeaders(operation, lists) };
  if (gives !== undefined) return { ...answer, content: { [gives]: text } };
  if (!reply) return answer;
  const shown = path.startsWith('/api/') && reply instanceof z.ZodObject && !declaresView(reply);
  const whole = ofEach(operation, (thing) => withExpansions(thing, operation.expands))!;
  const schema = schemas.of(shown ? withView(whole) : whole, 'output');
  const streamed = operation.streams === undefined ? {} : { [operation.streams]: text };
  const other = operation.alsoGives === undefined ? {} : { [operation.alsoGives]: text };
  return { ...answer, content: { 'application/json': { schema }, ...other, ...streamed } };
}

/** A thing with the view; where it has a name, so has that. */
function withView(thing: z.ZodType): z.ZodType {
  const known = withViews.get(thing);
  if (known) return known;
  const id = thing.meta()?.id;
  const both = z.intersection(thing, viewed);
  const shown = id === undefined ? both : both.meta({ id: `${id}Viewed` });
  withViews.set(thing, shown);
  return shown;
}

/** Most operations of an area answer alike: one schema is worked out once. */
const withViews = new WeakMap<z.ZodType, z.ZodType>();

const declaresView = (reply: z.ZodObject): boolean => Object.hasOwn(reply.shape, 'view');

const pathParameters = ({ params }: Operation): Readonly<Record<string, z.ZodType>> =>
  (params?.shape ?? {}) as Readonly<Record<string, z.ZodType>>;

/** Names separated by commas. */
const list = (names: unknown): Json => ({
  style: 'form',
  explode: false,
  schema: { type: 'array', minItems: 1, items: { type: 'string', enum: names } },
});

function parameters(
  where: 'path' | 'query',
  shape: Readonly<Record<string, unknown>>,
  schemas: OpenapiSchemas,
): Json[] {
  return Object.entries(shape).map(([name, value]) => {
    const field = value as z.ZodType;
    const { description, [takesNames]: names, [selects]: leavesOut, ...schema } = schemas.of(field, 'input');
    const required = where === 'path' || !field.safeParse(undefined).success;
    const said = {
      name,
      in: where,
      required,
      ...(description === undefined ? {} : { description }),
      ...(leavesOut === undefined ? {} : { [selects]: leavesOut }),
    };
    return names === undefined ? { ...said, schema } : { ...said, ...list(names) };
  });
}
