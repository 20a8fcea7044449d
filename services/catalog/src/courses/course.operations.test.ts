import { describe, expect, test } from '@jest/globals';
import { isErrorCode } from '@lyceum/contracts';
import { disagreements } from '@lyceum/web';
import { z } from 'zod';
import { catalogOperations } from '../testing.ts';
import { courseStatuses } from './course.resource.ts';

const each = catalogOperations
  .filter(({ area }) => area === 'courses')
  .map((operation) => [operation.id, operation] as const);

describe('the operations on courses', () => {
  test('reject with the statuses of the error table', () => expect(disagreements(courseStatuses)).toEqual([]));

  test('have names of their own', () => expect(new Set(each.map(([id]) => id)).size).toBe(each.length));

  test.each(each)(
    '%s says what it does, and which scope it needs',
    (_, { summary, description, scope, method, errors }) => {
      expect(summary.length).toBeGreaterThan(0);
      expect(description!.length).toBeGreaterThan(0);
      expect(scope).toBe(method === 'GET' ? 'courses:read' : 'courses:write');
      expect((errors ?? []).every(isErrorCode)).toBe(true);
    },
  );

  test.each(each)('%s can be described in OpenAPI 3.0, and its examples are valid', (_, { query, body, reply }) => {
    const described = { target: 'openapi-3.0' } as const;
    for (const schema of [query, body]) if (schema) z.toJSONSchema(schema, { ...described, io: 'input' });
    if (reply) z.toJSONSchema(reply, { ...described, io: 'output' });
    const example = body?.meta()?.['example'];
    if (body) expect(body.safeParse(example)).toMatchObject({ success: true });
  });
});
