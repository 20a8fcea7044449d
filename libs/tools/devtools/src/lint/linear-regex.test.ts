import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';

// A module that no type is known of: the linter loads it as it is.
const { superLinear } = (await import(join(import.meta.dirname, 'linear-regex.mjs'))) as {
  superLinear: (source: string, flags: string) => readonly string[];
};

describe('the lint rule for regular expressions', () => {
  test.each([/<[^>]*>/g, /\s+$/, /^(a+)+$/, /\bVersion\/[\d.]+.*\bSafari\//, /^-+|-+$/g, /a*a*b/, /%.*$/])(
    'finds that %s is not linear',
    ({ source, flags }) => expect(superLinear(source, flags)).not.toEqual([]),
  );

  test.each([/^[a-z0-9-]{3,80}$/, /\s+/g, /[\\`*_[\]]/g, /^\s+/, /(\d{1,3})\.(\d{1,3})$/, /^[^:]*:[^:]*$/, /\p{L}+/gu])(
    'lets %s through',
    ({ source, flags }) => expect(superLinear(source, flags)).toEqual([]),
  );
});
