import { describe, expect, test } from '@jest/globals';
import { isErrorCode } from '@lyceum/contracts';
import { pageOperations } from '../pages/page.http.ts';
import { postOperations } from '../posts/post.http.ts';

const operations = [...pageOperations, ...postOperations];

describe('the operations on pages and posts', () => {
  test('have names of their own', () => expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length));

  test.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s says what it does, needs a scope of its area, and has a valid example for its body',
    (_, { area, summary, description, scope, method, body, errors = [] }) => {
      expect(summary.length * description!.length).toBeGreaterThan(0);
      expect(scope).toBe(`${area}:${method === 'GET' ? 'read' : 'write'}`);
      expect(errors.every(isErrorCode)).toBe(true);
      if (body) expect(body.safeParse(body.meta()?.['example'])).toMatchObject({ success: true });
    },
  );
});
