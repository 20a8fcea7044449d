import type { Operation } from '../operations/operation.ts';
import type { Json } from './openapi-schemas.ts';

const text = { type: 'string' } as const;

/** Response headers. */
export const headerComponents: Record<string, Json> = {
  'X-Request-Id': {
    description: 'Names this request in the log; the one sent by the client when it is sane',
    schema: text,
  },
  ETag: { description: 'Version of the item, a strong entity tag', schema: { ...text, example: '"3"' } },
  'Consistency-Token': {
    description: 'Where the write or read was observed; send it back to a list with `Prefer: wait`',
    schema: { ...text, example: 'Qm9yZGVyLmNhdGFsb2cuMC40Mg' },
  },
  'Preference-Applied': {
    description:
      'Given where the answer has what Consistency-Token names, news, or what was waited for: `wait=5` (RFC 7240)',
    schema: text,
  },
  Link: { description: 'The next page, rel="next" (RFC 8288)', schema: text },
  Location: { description: 'Address of the created item', schema: { ...text, format: 'uri-reference' } },
  'WWW-Authenticate': {
    description:
      'Bearer challenge with error, error_description, resource_metadata and, on 403, scope (RFC 6750, RFC 9728)',
    schema: text,
  },
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 0 } },
};

/** Request headers that several operations take. */
export const parameterComponents: Record<string, Json> = {
  IdempotencyKey: idempotencyKey(false),
  IdempotencyKeyRequired: idempotencyKey(true),
  IfMatchRequired: ifMatch(true),
  IfMatch: ifMatch(false),
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag that the client has: 304 when it is still current',
    schema: { ...text, example: '"3"' },
  },
  ConsistencyToken: {
    name: 'Consistency-Token',
    in: 'header',
    description: 'The list shall include the write that answered with this token',
    schema: { ...text, example: 'Qm9yZGVyLmNhdGFsb2cuMC40Mg' },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'Where a stream goes on: the id of the last event received',
    schema: text,
  },
  PreferNews: {
    name: 'Prefer',
    in: 'header',
    description: 'How many seconds to wait rather than answer with nothing, at most 30 (RFC 7240)',
    schema: { ...text, example: 'wait=20' },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: 'How many seconds to wait for that, at most 10 (RFC 7240)',
    schema: { ...text, example: 'wait=5' },
  },
};

function idempotencyKey(required: boolean): Json {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    ...(required ? { required } : {}),
    description:
      'Makes a retry safe: the same key and body answer as the first time. A string in quotes, at most 255 characters',
    schema: { ...text, maxLength: 257, example: '"8e03978e-40d5-43dd-bc93-6894a57f9324"' },
  };
}

function ifMatch(required: boolean): Json {
  const description = 'The ETag that the change is based on: 412 when it is not current any more';
  return { name: 'If-Match', in: 'header', required, description, schema: { ...text, example: '"3"' } };
}

const parameter = (name: string): Json => ({ $ref: `#/components/parameters/${name}` });

/** The headers that a request of this operation may carry. */
export function requestHeaders(operation: Operation, lists: boolean): Json[] {
  const own = Object.entries(operation.headers ?? {}).map(([name, description]): Json => ({
    name,
    in: 'header',
    description,
    schema: { ...text, maxLength: 1_000 },
  }));
  return [...usualHeaders(operation, lists), ...own];
}

function usualHeaders({ method, ifMatch, reply, streams, idempotencyKey: key }: Operation, lists: boolean): Json[] {
  if (streams !== undefined) return [parameter('LastEventId'), parameter('PreferNews')];
  if (lists) return [parameter('ConsistencyToken'), parameter('Prefer')];
  if (method === 'GET') return reply ? [parameter('IfNoneMatch')] : [];
  const match = ifMatch && parameter(ifMatch === 'required' ? 'IfMatchRequired' : 'IfMatch');
  return [parameter(key === 'required' ? 'IdempotencyKeyRequired' : 'IdempotencyKey'), ...(match ? [match] : [])];
}

/** The headers that a success of this operation carries. */
export function replyHeaders({ status, reply, streams, headers = {} }: Operation, lists: boolean): Json {
  const names = ['X-Request-Id', 'Consistency-Token'];
  if (reply && !lists) names.push('ETag');
  if (lists) names.push('Link');
  if (lists || streams !== undefined || headers['Prefer'] !== undefined) names.push('Preference-Applied');
  if (status === 201) names.push('Location');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
