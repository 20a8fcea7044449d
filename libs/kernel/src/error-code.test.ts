import { expect, test } from '@jest/globals';
import { codeOf } from './error-code.ts';

test.each([
  ['an error of the file system', Object.assign(new Error('gone'), { code: 'ENOENT' }), 'ENOENT'],
  ['an error of MongoDB', { code: 48 }, 48],
  ['an error without a code', new Error('no'), undefined],
  ['null', null, undefined],
  ['a text', 'ENOENT', undefined],
])('the code of %s', (_, error, code) => expect(codeOf(error)).toBe(code));
