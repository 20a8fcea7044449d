import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Operation, checkOperations, operation } from '../index.ts';

const good = operation({
  id: 'replaceThing',
  method: 'PUT',
  path: '/api/things/{thing}',
  area: 'courses',
  summary: 'Replace a thing',
  scope: 'courses:write',
  anonymous: false,
  status: 200,
  ifMatch: 'required',
  errors: ['slug_taken'],
  params: z.object({ thing: z.string().meta({ example: 'a' }) }),
  body: z
    .strictObject({ title: z.string().max(5), prices: z.array(z.object({ amount: z.int().meta({ example: 5 }) })) })
    .meta({ example: { title: 'x', prices: [] } }),
  reply: z.object({ id: z.string() }),
  handle: async () => ({}),
});
const check = (change: Partial<Record<keyof Operation, unknown>>) => () =>
  checkOperations([{ ...good, ...change } as Operation]);

describe('checking operations', () => {
  test('a complete declaration passes', () => expect(check({})).not.toThrow());

  test.each<[Partial<Record<keyof Operation, unknown>>, string]>([
    [{ id: 'Replace_thing' }, 'camelCase'],
    [{ area: '' }, 'no area'],
    [{ summary: ' ' }, 'summary'],
    [{ description: '' }, 'description'],
    [{ errors: ['made_up'] }, 'made_up is not in the error table'],
    [{ errors: ['slug_taken', 'slug_taken'] }, 'twice'],
    [{ scope: undefined }, 'neither scoped nor open'],
    [{ anyScope: ['courses:write'] }, 'one scope, and any of several'],
    [{ scope: undefined, anyScope: ['courses:write', 'courses:read'] }, 'with a scope for reading'],
    [{ scope: 'rockets:write' }, 'not in the scope table'],
    [{ scope: 'courses:read' }, 'with a scope for reading'],
    [{ method: 'GET' }, 'with a scope for writing'],
    [{ method: 'GET' }, 'reads with a body'],
    [{ ifMatch: undefined }, 'without requiring If-Match'],
    [{ path: '/api/Things/{thing}' }, 'snake_case'],
    [{ path: '/api/things/' }, 'snake_case'],
    [{ path: '/api/things/{other}' }, 'not those of its path'],
    [{ params: undefined }, 'not those of its path'],
    [{ query: z.object({ perPage: z.string() }) }, 'a query name'],
    [{ status: 404 }, 'not a success'],
    [{ status: 204 }, '204 exactly when'],
    [{ reply: undefined }, '204 exactly when'],
    [{ body: z.object({ title: z.string().max(5) }).meta({ example: { title: 'too long' } }) }, 'example at body does'],
    [{ body: z.array(z.object({ a: z.int().optional().meta({ example: 'b' }) })) }, 'example at body[].a does'],
    [{ reply: z.object({ id: z.string() }).meta({ examples: [{ id: 'a' }, {}] }) }, 'example at reply does'],
  ])('%j is found: %s', (change, fault) => expect(check(change)).toThrow(fault));

  test('ids and routes are unique, whatever the parameters are called', () => {
    expect(() => checkOperations([good, good])).toThrow('the id replaceThing is used twice');
    const params = z.object({ other: z.string() });
    const twin = { ...good, id: 'replaceOther', path: '/api/things/{other}', params } as Operation;
    expect(() => checkOperations([good, twin])).toThrow('the route PUT /api/things/{} is used twice');
  });

  test('all faults are named at once', () => {
    expect(check({ area: '', summary: '' })).toThrow(/no area[\s\S]*summary/);
  });

  test('operations for operators and open ones need no scope', () => {
    expect(check({ scope: undefined, path: '/internal/things/{thing}' })).not.toThrow();
    expect(check({ scope: undefined, anonymous: true })).not.toThrow();
  });
});
