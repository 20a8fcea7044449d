import { describe, expect, test } from '@jest/globals';
import { partIn, partOf } from './byte-range.ts';

describe('a range of a file of 100 bytes', () => {
  test.each([
    ['', undefined],
    ['bytes=0-9', { first: 0, last: 9 }],
    ['bytes=90-', { first: 90, last: 99 }],
    ['bytes=-10', { first: 90, last: 99 }],
    ['bytes=-1000', { first: 0, last: 99 }],
    ['bytes=50-1000', { first: 50, last: 99 }],
    ['bytes=100-', 'none'],
    ['bytes=-0', 'none'],
    ['bytes=9-0', undefined],
    ['bytes=-', undefined],
    ['items=0-9', undefined],
    ['bytes=0-1,5-6', undefined],
    ['bytes=0-99999999999999999999', undefined],
  ] as const)('RFC 9110 §14.1.2: %s', (header, part) => expect(partOf(header, 100)).toEqual(part));

  test.each([
    ['', { first: 0, last: 99 }],
    ['bytes 0-9/100', { first: 0, last: 9 }],
    ['bytes 10-99/*', { first: 10, last: 99 }],
    ['bytes 10-100/100', undefined],
    ['bytes 10-9/100', undefined],
    ['bytes 0-9/101', undefined],
    ['bytes */100', undefined],
    ['bytes=0-9', undefined],
  ] as const)('RFC 9110 §14.4: Content-Range %s', (header, part) => expect(partIn(header, 100)).toEqual(part));
});
