import { describe, expect, test } from '@jest/globals';
import { openInvitation, sealInvitation } from './invitation.ts';

const [root, next, other] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
const ada = { member: 'account_1', email: 'ada@example.org', expires: 1_767_600_000 };

describe('an invitation', () => {
  test('opens at its school, also after the root key was replaced', () => {
    const sealed = sealInvitation([root], 'school_1', ada);
    expect(openInvitation([root], 'school_1', sealed)).toEqual(ada);
    expect(openInvitation([next, root], 'school_1', sealed)).toEqual(ada);
    expect(sealed).toMatch(/^[\w-]+$/);
  });

  test('tells nothing, and opens nowhere else', () => {
    const sealed = sealInvitation([root], 'school_1', ada);
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('ada');
    expect(openInvitation([root], 'school_2', sealed)).toBeUndefined();
    expect(openInvitation([other], 'school_1', sealed)).toBeUndefined();
  });

  test.each(['', 'x', 'A'.repeat(80), '%%%'])('%j is none', (text) => {
    expect(openInvitation([root], 'school_1', text)).toBeUndefined();
  });

  test('is not opened when any bit of it was altered', () => {
    const bytes = Buffer.from(sealInvitation([root], 'school_1', ada), 'base64url');
    for (let at = 0; at < bytes.length; at += 7) {
      const altered = Buffer.from(bytes);
      altered[at]! ^= 1;
      expect(openInvitation([root], 'school_1', altered.toString('base64url'))).toBeUndefined();
    }
  });
});
