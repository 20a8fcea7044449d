import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { uuidv5, uuidv7 } from './ids.ts';

const uuid = (version: number) =>
  new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-${version}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`);

describe('ids', () => {
  test('RFC 9562 §5.7: a version 7 id carries its time in the first 48 bits', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 48 - 1 }),
        fc.uint8Array({ minLength: 10, maxLength: 10 }),
        (now, random) => {
          const id = uuidv7(now, random);
          expect(id).toMatch(uuid(7));
          expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(now);
        },
      ),
    );
  });

  test('version 7 ids sort by time', () => {
    const early = uuidv7(1_000, new Uint8Array(10).fill(255));
    const late = uuidv7(1_001, new Uint8Array(10));
    expect(early < late).toBe(true);
  });

  test('RFC 9562 §5.5: a version 5 id depends on every part and on nothing else', () => {
    expect(uuidv5('a', 1)).toMatch(uuid(5));
    expect(uuidv5('a', 1)).toBe(uuidv5('a', 1));
    expect(uuidv5('a', '1')).not.toBe(uuidv5('a', 1));
    expect(uuidv5('a', 'b')).not.toBe(uuidv5('ab'));
  });
});
