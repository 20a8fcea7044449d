import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { KnownQueries } from './known-queries.ts';
import { Problem } from '../replies/problem.ts';

/** Queries, and how often one was parsed. */
function counted() {
  let parsed = 0;
  const name = z.string().transform((value) => {
    parsed += 1;
    return value.toUpperCase();
  });
  return { queries: new KnownQueries(z.strictObject({ name: name.optional() })), times: () => parsed };
}

describe('the queries of an operation', () => {
  test('are read once, and each text is a query of its own', () => {
    const { queries, times } = counted();
    expect(queries.read('name=a')).toEqual({ values: { name: 'a' }, query: { name: 'A' } });
    expect(queries.read('name=a')).toBe(queries.read('name=a'));
    expect(queries.read('name=%61')).toEqual(queries.read('name=a'));
    expect(queries.read('')).toEqual({ values: {}, query: {} });
    expect(times()).toBe(2);
  });

  test('are refused each time when they are wrong', () => {
    const { queries } = counted();
    for (const text of ['name=a&name=b', 'other=a'])
      for (let time = 0; time < 2; time += 1) expect(() => queries.read(text)).toThrow(Problem);
  });

  test('make room for one another, and long ones are not kept', () => {
    const { queries, times } = counted();
    const long = `name=${'x'.repeat(200)}`;
    expect(queries.read(long)).not.toBe(queries.read(long));
    const first = queries.read('name=0');
    for (let n = 1; n < 300; n += 1) queries.read(`name=${n}`);
    const before = times();
    expect(queries.read('name=0')).toEqual(first);
    expect(queries.read('name=299').query).toEqual({ name: '299' });
    expect(times()).toBe(before + 1);
  });

  test('cannot be changed by whoever asks', () => {
    const { query } = counted().queries.read('name=a') as { query: { name: string } };
    expect(() => (query.name = 'B')).toThrow(TypeError);
  });
});
