import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { sameText } from './digest.ts';
import { sealerOf } from './sealer.ts';

const sealer = sealerOf(randomBytes(32));

describe('a sealer', () => {
  test('opens what it sealed, for the same purpose and binding only', () =>
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (text, bound) => {
        const sealed = sealer.seal('interaction', bound, text);
        expect(sealer.open('interaction', bound, sealed)).toBe(text);
        expect(sealer.open('signing-key', bound, sealed)).toBeUndefined();
        expect(sealer.open('interaction', [...bound, ''], sealed)).toBeUndefined();
        expect(sealerOf(randomBytes(32)).open('interaction', bound, sealed)).toBeUndefined();
      }),
    ));

  test('opens what a predecessor of its key sealed and tagged, and seals under the new key', () => {
    const [older, newer] = [randomBytes(32), randomBytes(32)];
    const [before, after] = [sealerOf(older), sealerOf(newer, randomBytes(32), older)];
    expect(after.open('interaction', ['a'], before.seal('interaction', ['a'], 'text'))).toBe('text');
    expect(after.open('interaction', ['b'], before.seal('interaction', ['a'], 'text'))).toBeUndefined();
    expect(after.tagged('csrf', ['a'], before.tag('csrf', ['a']))).toBe(true);
    expect(sealerOf(newer).open('interaction', ['a'], after.seal('interaction', ['a'], 'text'))).toBe('text');
    expect(before.open('interaction', ['a'], after.seal('interaction', ['a'], 'text'))).toBeUndefined();
    expect(before.tagged('csrf', ['a'], after.tag('csrf', ['a']))).toBe(false);
  });

  test('opens nothing that was altered, cut or made up', () => {
    const sealed = Buffer.from(sealer.seal('interaction', ['a'], 'text'), 'base64url');
    for (let at = 0; at < sealed.length; at += 1) {
      const altered = Buffer.from(sealed);
      altered[at]! ^= 1;
      expect(sealer.open('interaction', ['a'], altered.toString('base64url'))).toBeUndefined();
      expect(sealer.open('interaction', ['a'], sealed.subarray(0, at).toString('base64url'))).toBeUndefined();
    }
    for (const text of ['', 'x', '!!!']) expect(sealer.open('interaction', ['a'], text)).toBeUndefined();
  });

  test('opens one spelling only: neither other unused bits at the end, nor padding, nor the other alphabet', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const otherEnd = (text: string) => text.slice(0, -1) + alphabet[alphabet.indexOf(text.at(-1)!) ^ 1]!;
    // 43 characters for 32 bytes: two bits of the last one are unused.
    const tag = sealer.tag('csrf', ['a']);
    for (const other of [otherEnd(tag), `${tag}=`, ` ${tag}`]) expect(sealer.tagged('csrf', ['a'], other)).toBe(false);
    for (const text of ['', 't', 'te']) {
      const sealed = sealer.seal('link', ['a'], text);
      for (const other of [otherEnd(sealed), `${sealed}=`, `${sealed}\n`])
        expect(sealer.open('link', ['a'], other)).toBeUndefined();
    }
  });

  test('shows nothing of the text and never the same twice', () => {
    const [one, two] = [sealer.seal('signing-key', [], 'private'), sealer.seal('signing-key', [], 'private')];
    expect(one).not.toBe(two);
    expect(Buffer.from(one, 'base64url').toString('latin1')).not.toContain('private');
  });

  test('tags parts, and parts cannot run into each other', () => {
    const tag = sealer.tag('csrf', ['a', 'bc']);
    expect(sealer.tagged('csrf', ['a', 'bc'], tag)).toBe(true);
    for (const parts of [['ab', 'c'], ['abc'], ['a', 'bc', '']]) expect(sealer.tagged('csrf', parts, tag)).toBe(false);
    for (const wrong of ['', 'x', `${tag}A`]) expect(sealer.tagged('csrf', ['a', 'bc'], wrong)).toBe(false);
  });

  test('texts are compared whole', () => {
    expect([sameText('a', 'a'), sameText('a', 'b'), sameText('a', 'aa'), sameText('', '')]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });
});
