import { type Operation, describe, operation } from '@lyceum/web';
import { z } from 'zod';

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: Readonly<Record<string, unknown>>;
}

const operatorToken = { type: 'http', scheme: 'bearer', description: 'OPERATOR_TOKEN' };

/** The operation that describes the given ones, and itself. */
export function describing(operations: readonly Operation[]): Operation {
  const own: Operation = operation({
    id: 'describeOperatorSurface',
    method: 'GET',
    path: '/internal/openapi.json',
    area: 'operations',
    summary: 'Describe the operator surface',
    anonymous: false,
    status: 200,
    reply: z.record(z.string(), z.unknown()),
    handle: async () => ({ body: document([...operations, own]) }),
  });
  return own;
}

/** The OpenAPI document, with the one way to be let in here. */
function document(operations: readonly Operation[]): Record<string, unknown> {
  const { paths, components, ...rest } = describe('operator', operations) as unknown as Described;
  const secured = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, each]) => [method, { ...each, security: [{ operator: [] }] }]),
    ),
  ]);
  return {
    ...rest,
    paths: Object.fromEntries(secured) as unknown,
    components: { ...components, securitySchemes: { operator: operatorToken } },
  };
}
