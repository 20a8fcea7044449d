import { describe, expect, test } from '@jest/globals';
import { isObject, isOneOf } from './type-guards.ts';
import { keysOf, recordOf } from './typed-keys.ts';
import { jsonCopy } from './stored-json.ts';

describe('narrowing an unknown value', () => {
  test('objects and arrays have members, null and words have none', () => {
    expect([{}, [], null, undefined, 'word', 1].map(isObject)).toEqual([true, true, false, false, false, false]);
  });

  test('a word is compared with the list, and not with what every object inherits', () => {
    expect(['code', 'constructor', 1, null].map((value) => isOneOf(['code', 'token'], value))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test('a record is made of its keys and gives them back', () => {
    const record = recordOf(['a', 'b'], (key) => `${key}!`);
    expect(record).toEqual({ a: 'a!', b: 'b!' });
    expect(keysOf(record)).toEqual(['a', 'b']);
  });

  test('a copy shares nothing and drops what JSON does not know', () => {
    const given = { list: [1], none: undefined };
    const copy = jsonCopy(given);
    copy.list.push(2);
    expect(given.list).toEqual([1]);
    expect('none' in copy).toBe(false);
  });
});
