import { type ErrorCode, errors } from '@lyceum/contracts';
import { type Endpoint, type EndpointOperation, methodsOf } from '../http/exchange/endpoint.ts';
import { endpoints } from '../matrix.ts';
import { readMetadata } from '../protocol/registration/register.ts';
import type { OperationTexts } from './operation-texts.ts';
import { exportOperations } from './export-operations.ts';
import { pageOperations } from './page-operations.ts';
import { programOperations } from './program-operations.ts';
import { type Json, type ObjectSchema, components, ref, text } from './schemas.ts';

/** By the id of the operation. */
export const operationTexts = { ...programOperations, ...pageOperations, ...exportOperations };

/** What the document says of a refusal, where its code does not say enough. */
const refusals: Partial<Record<ErrorCode, string>> = {
  payload_too_large: 'payload_too_large: the body exceeds 64 KiB',
  rate_limited: 'rate_limited: wait as Retry-After says; RateLimit tells how much is left',
  outcome_unknown: 'outcome_unknown: it may have been done, so look before you send it again',
};

/** What a person reads who is refused, by status. */
const refusalPages: Readonly<Record<number, string>> = {
  403: 'The form did not come from our page',
  429: 'Too many requests; wait as Retry-After says',
};

const answer = (description: string, mediaType: string, schema: Json): Json => ({
  description,
  content: { [mediaType]: { schema } },
});

const page = (description: string): Json => answer(description, 'text/html', { type: 'string' });

/** The codes by their status. */
function byStatus(codes: readonly ErrorCode[]): Map<number, readonly ErrorCode[]> {
  const grouped = new Map<number, readonly ErrorCode[]>();
  for (const code of new Set(codes))
    grouped.set(errors[code].status, [...(grouped.get(errors[code].status) ?? []), code]);
  return grouped;
}

/** A sentence of codes: `a, b or c`. */
const named = (codes: readonly ErrorCode[]): string =>
  [codes.slice(0, -1).join(', '), ...codes.slice(-1).map((code) => refusals[code] ?? code)]
    .filter(Boolean)
    .join(' or ');

/** What the steps refuse with. What is counted is read, and takes the log; so it may be too large, or the log away. */
function refusedBy({ reader }: Endpoint, { steps }: EndpointOperation): Record<number, Json> {
  const codes = steps.flatMap(({ refuses = [] }) => refuses);
  if (reader === 'person')
    return Object.fromEntries([...byStatus(codes).keys()].map((status) => [status, page(refusalPages[status]!)]));
  const more: readonly ErrorCode[] = codes.includes('rate_limited')
    ? ['payload_too_large', 'temporarily_unavailable']
    : ['temporarily_unavailable'];
  return Object.fromEntries(
    [...byStatus([...more, ...codes])].map(([status, all]) => [
      status,
      answer(named(all), 'application/json', ref('OAuthError')),
    ]),
  );
}

function answersOf({ reader }: Endpoint, { answers }: OperationTexts): Record<number, Json> {
  const shown = (status: number, told: OperationTexts['answers'][number]): Json => {
    if (typeof told !== 'string') return answer(told[0], told[2] ?? 'application/json', told[1]);
    return reader === 'person' && status !== 303 ? page(told) : { description: told };
  };
  return Object.fromEntries(Object.entries(answers).map(([status, told]) => [status, shown(Number(status), told)]));
}

const isObject = (schema: Json): schema is ObjectSchema => schema['type'] === 'object';

/** What is sent with GET: in the query. */
const inQuery = (schema: Json): readonly Json[] =>
  isObject(schema)
    ? Object.entries(schema.properties).map(([name, field]) => ({
        name,
        in: 'query',
        required: schema.required?.includes(name) ?? false,
        schema: field,
      }))
    : [];

const inPath = (path: string): readonly Json[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: text(`Id of the ${name}`),
  }));

const body = ({ steps }: EndpointOperation, { takes, scope }: OperationTexts): Json =>
  takes === undefined
    ? {}
    : {
        requestBody: {
          required: scope === undefined,
          content: {
            [steps.includes(readMetadata) ? 'application/json' : 'application/x-www-form-urlencoded']: {
              schema: takes,
            },
          },
        },
      };

function describeOperation(endpoint: Endpoint, method: string, operation: EndpointOperation): Json {
  const texts = operationTexts[operation.id];
  if (!texts) throw new Error(`nothing is said of ${operation.id}`);
  const { summary, description, scope, takes = {} } = texts;
  const parameters = [...inPath(endpoint.path), ...(method === 'GET' ? inQuery(takes) : [])];
  return {
    operationId: operation.id,
    tags: ['oauth'],
    summary,
    description,
    security: scope === undefined ? [] : [{ oauth2: [scope] }, { openIdConnect: [scope] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(method === 'GET' ? {} : body(operation, texts)),
    responses: { ...refusedBy(endpoint, operation), ...answersOf(endpoint, texts) },
  };
}

const describeEndpoint = (endpoint: Endpoint): Json =>
  Object.fromEntries(
    methodsOf(endpoint).map((method) => [
      method.toLowerCase(),
      describeOperation(endpoint, method, endpoint.operations[method]!),
    ]),
  );

/** The OpenAPI document of the endpoints and pages: of each row of the matrix, what its steps refuse with included. */
export const openapi = {
  openapi: '3.0.3',
  info: { title: 'Lyceum: auth', version: '0.1.0' },
  tags: [{ name: 'oauth', description: 'Registration, sign-in and tokens' }],
  paths: Object.fromEntries(
    endpoints.map((endpoint) => [endpoint.path.replaceAll(/:(\w+)/g, '{$1}'), describeEndpoint(endpoint)]),
  ),
  components: { schemas: components },
};

/** The OpenAPI document of the whole service: the account API with the endpoints and pages. */
export function describeAuth(api: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const components = api['components'] as Json;
  return {
    ...api,
    ...openapi,
    tags: [...openapi.tags, ...(api['tags'] as Json[])],
    paths: { ...openapi.paths, ...(api['paths'] as Json) },
    components: {
      ...components,
      ...openapi.components,
      schemas: { ...(components['schemas'] as Json), ...openapi.components.schemas },
    },
  };
}
