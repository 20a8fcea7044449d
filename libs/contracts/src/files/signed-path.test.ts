import { describe, expect, test } from '@jest/globals';
import { SignedPaths } from './signed-path.ts';

const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const permission = { to: 'send', school: 'school_1', id: 'upload_1', size: 10, expires: 1_000 } as const;

describe('a signed path', () => {
  test('says what was signed, also after the key was replaced', () => {
    const segment = new SignedPaths([one]).sign(permission);
    expect(new SignedPaths([other, one]).open(segment)).toEqual(permission);
    expect(new SignedPaths([other]).open(segment)).toBeUndefined();
  });

  test('with any character changed, added or taken away says nothing', () => {
    const paths = new SignedPaths([one]);
    const segment = paths.sign(permission);
    for (let at = 0; at < segment.length; at += 1) {
      const changed = segment[at] === 'A' ? 'B' : 'A';
      expect(paths.open(segment.slice(0, at) + changed + segment.slice(at + 1))).toBeUndefined();
      expect(paths.open(segment.slice(0, at) + segment.slice(at + 1))).toBeUndefined();
    }
    for (const hostile of ['', '.', 'a.b', `${segment}.`, `${segment}=`, `.${segment}`, '..', '%2e%2e'])
      expect(paths.open(hostile)).toBeUndefined();
  });
});
