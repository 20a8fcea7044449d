import { type ErrorCode, errors } from '@lyceum/contracts';
import type { Operation } from '../operations/operation.ts';
import type { Json } from './openapi-schemas.ts';

/** Every code that an operation may answer: its own, and those of `mount` for what it declares. */
function errorCodesOf(operation: Operation): readonly ErrorCode[] {
  const { method, scope, anyScope, anonymous, roles, body, query, ifMatch } = operation;
  const writes = method !== 'GET';
  const ofMount: (ErrorCode | false)[] = [
    'invalid_request',
    'invalid_token',
    (scope ?? anyScope) !== undefined && 'insufficient_scope',
    (!anonymous || roles !== undefined) && 'access_denied',
    'not_found',
    writes && 'idempotency_in_progress',
    ifMatch !== undefined && 'precondition_failed',
    writes && 'payload_too_large',
    writes && 'unsupported_media_type',
    (body !== undefined || query !== undefined) && 'validation_failed',
    writes && 'idempotency_key_reused',
    ifMatch === 'required' && 'precondition_required',
    'rate_limited',
    'server_error',
    writes && 'outcome_unknown',
    'temporarily_unavailable',
    ...ofClosed(operation),
  ];
  return [...new Set([...ofMount.filter((code) => code !== false), ...(operation.errors ?? [])])];
}

/** What a school that is not open answers; everybody reaches their own account. */
const ofClosed = ({ area }: Operation): readonly ErrorCode[] =>
  area === 'account' ? [] : ['school_suspended', 'school_closed'];

/** Error responses by status. Equal ones are one component. */
export class OpenapiErrors {
  readonly responses: Record<string, Json> = {};
  readonly examples: Record<string, Json> = {};

  of(operation: Operation): Record<string, Json> {
    const byStatus = new Map<number, ErrorCode[]>();
    for (const code of errorCodesOf(operation)) {
      const { status } = errors[code];
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
    }
    return Object.fromEntries(
      [...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => [String(status), this.#response(codes.sort())]),
    );
  }

  #response(codes: readonly ErrorCode[]): Json {
    const name = codes.join('_or_');
    this.responses[name] ??= {
      description: codes.map((code) => `\`${code}\`: ${errors[code].means}.`).join('\n\n'),
      headers: headersOf(codes),
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples: this.#examples(codes) },
        'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
      },
    };
    return { $ref: `#/components/responses/${name}` };
  }

  #examples(codes: readonly ErrorCode[]): Json {
    return Object.fromEntries(
      codes.map((code) => {
        const value = {
          error: code,
          error_description: errors[code].means,
          request_id: 'req_0195a3c2-7d10-7abc-8def-0123456789ab',
        };
        this.examples[code] = { summary: errors[code].means, value };
        return [code, { $ref: `#/components/examples/${code}` }];
      }),
    );
  }
}

const header = (name: string): Json => ({ $ref: `#/components/headers/${name}` });

function headersOf(codes: readonly ErrorCode[]): Json {
  const has = (...any: ErrorCode[]): boolean => any.some((code) => codes.includes(code));
  return {
    'X-Request-Id': header('X-Request-Id'),
    ...(has('invalid_token', 'insufficient_scope') ? { 'WWW-Authenticate': header('WWW-Authenticate') } : {}),
    ...(has('rate_limited', 'temporarily_unavailable', 'school_suspended', 'idempotency_in_progress')
      ? { 'Retry-After': header('Retry-After') }
      : {}),
  };
}

const text = { type: 'string' } as const;

const errorProperties = {
  error: { type: 'string', enum: Object.keys(errors), description: 'Error code' },
  error_description: { ...text, description: 'For the developer; printable ASCII' },
  details: {
    type: 'array',
    description: 'The fields at fault',
    items: { $ref: '#/components/schemas/ErrorDetail' },
  },
  request_id: {
    ...text,
    description: 'Give it to whoever operates the school when you ask for help; also in X-Request-Id',
  },
} as const;

/** The schemas that every error body follows. */
export const errorSchemas: Record<string, Json> = {
  Error: {
    type: 'object',
    description: 'The error body of RFC 6749 section 5.2',
    required: ['error', 'error_description', 'request_id'],
    properties: errorProperties,
  },
  ErrorDetail: {
    type: 'object',
    required: ['path', 'code'],
    properties: { path: { ...text, example: 'prices.0.amount' }, code: text, message: text },
  },
  Problem: {
    type: 'object',
    description: 'The same as a problem document of RFC 9457, for clients that prefer application/problem+json',
    required: ['type', 'title', 'status', 'detail', 'error', 'error_description', 'request_id'],
    properties: { type: text, title: text, status: { type: 'integer' }, detail: text, ...errorProperties },
  },
};
