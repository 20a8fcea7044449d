import { describe, expect, test } from '@jest/globals';
import { createSecretKey, randomBytes } from 'node:crypto';
import { decrypt, encrypt } from './encryption.ts';

const key = randomBytes(32);

describe('AES-256-GCM', () => {
  test.each(['', 'text', 'Grüße 🌍'])('%j comes back from its ciphertext', (text) => {
    expect(decrypt(key, 'here', encrypt(key, 'here', text))?.toString()).toBe(text);
    expect(decrypt(createSecretKey(key), 'here', encrypt(key, 'here', Buffer.from(text)))?.toString()).toBe(text);
  });

  test('what is altered, cut, bound to something else or under another key does not come back', () => {
    const whole = encrypt(key, 'here', 'text');
    for (let at = 0; at < whole.length; at += 1) {
      const altered = Buffer.from(whole);
      altered[at]! ^= 1;
      expect(decrypt(key, 'here', altered)).toBeUndefined();
      expect(decrypt(key, 'here', whole.subarray(0, at))).toBeUndefined();
    }
    expect(decrypt(key, 'there', whole)).toBeUndefined();
    expect(decrypt(randomBytes(32), 'here', whole)).toBeUndefined();
  });

  test('NIST SP 800-38D §8.2.2: equal texts have different ciphertexts, unless the IV is given', () => {
    expect(encrypt(key, '', 'text').equals(encrypt(key, '', 'text'))).toBe(false);
    const iv = Buffer.alloc(12, 1);
    expect(encrypt(key, '', 'text', iv).equals(encrypt(key, '', 'text', iv))).toBe(true);
    expect(encrypt(key, '', 'text', Buffer.alloc(32, 1)).subarray(0, 12).equals(iv)).toBe(true);
  });

  test('the format is that of what is stored: IV, tag, ciphertext', () => {
    const stored = 'AAAAAAAAAAAAAAAA-lz1KplXFXLNwndUS6KEALrCOEk';
    const bytes = encrypt(Buffer.alloc(32), '["a"]', 'text', Buffer.alloc(12));
    expect(bytes.toString('base64url')).toBe(stored);
  });
});
