import { describe, expect, test } from '@jest/globals';
import { isErrorCode } from '@lyceum/contracts';
import { type Operation, checkOperations } from '@lyceum/web';
import { formSlice } from '../forms/api/form.slice.ts';
import { submissionSlice } from '../submissions/api/submission.slice.ts';
import { commentSliceOfTests } from './commented.ts';

/** They are only looked at. */
const noPorts = {} as never;

const operations: readonly Operation[] = [formSlice, submissionSlice, commentSliceOfTests].flatMap(
  ({ operations: all }) => (typeof all === 'function' ? all(noPorts) : all),
);

describe('the operations on forms, submissions and comments', () => {
  test('are declared soundly, with names of their own', () => expect(() => checkOperations(operations)).not.toThrow());

  test('read by the scope of their area, write as the person, or as whoever writes the pages, posts and courses', () => {
    const scopes = new Set(operations.map(({ scope, anyScope }) => scope ?? anyScope?.join(' ')));
    expect([...scopes].toSorted()).toEqual([
      'account:read',
      'account:write',
      'comments:read',
      'forms:read',
      'pages:write',
      'posts:write courses:write',
    ]);
  });

  test.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s says what it does, and has a valid example for its body',
    (_, { summary, description, body, errors = [] }) => {
      expect(summary.length * (description?.length ?? 0)).toBeGreaterThan(0);
      expect(errors.every(isErrorCode)).toBe(true);
      if (body) expect(body.safeParse(body.meta()?.['example'])).toMatchObject({ success: true });
    },
  );
});
