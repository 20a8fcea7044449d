import { describe, expect, test } from '@jest/globals';
import { reject } from '@lyceum/kernel';
import { Problem, disagreements, problemOf } from '../index.ts';

describe('a rejection over HTTP', () => {
  test('has the status of its table, its reason and its details', () => {
    const rejection = reject('slug_taken' as const, 'The slug is taken', [{ path: 'slug', code: 'taken' }]);
    const problem = problemOf(rejection, { slug_taken: 409 } satisfies Record<'slug_taken', number>);
    expect(problem).toBeInstanceOf(Problem);
    expect(problem).toMatchObject({
      code: 'slug_taken',
      status: 409,
      message: 'The slug is taken',
      details: rejection.details,
    });
  });

  test('a table must agree with the error table', () => {
    expect(disagreements({ slug_taken: 409, not_ready: 409 })).toEqual([]);
    expect(disagreements({ slug_taken: 400 })).toEqual([
      'rejection slug_taken has status 400, the error table says 409',
    ]);
    expect(disagreements({ too_bad: 409 })).toEqual(['rejection too_bad is not in the error table']);
    expect(() => problemOf(reject('slug_taken' as const, 'x'), { slug_taken: 400 })).toThrow(
      'the error table says 409',
    );
  });
});
