import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isoTime } from './clock.ts';

test('RFC 3339 §5.6: a time is written as the date says it, whatever was written before', () => {
  const near = fc.integer({ min: -3_000, max: 3_000 });
  const far = fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 });
  fc.assert(fc.property(fc.oneof(near, far), (at) => expect(isoTime(at)).toBe(new Date(at).toISOString())));
  expect(() => isoTime(NaN)).toThrow(RangeError);
});
