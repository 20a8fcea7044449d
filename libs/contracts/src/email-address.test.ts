import { describe, expect, test } from '@jest/globals';
import { foldEmail, isSameEmail, readEmail } from './email-address.ts';

describe('RFC 8265 §3.3: an e-mail address', () => {
  test.each([
    ['ada@example.org', 'ada@example.org'],
    ['  Ada.Byron+school@Example.org ', 'Ada.Byron+school@Example.org'],
    ['ju\u0308rgen@example.org', 'jürgen@example.org'],
    ['\u212Aate@example.org', 'Kate@example.org'],
    ['한글@example.org', '한글@example.org'],
    ["o'hara!#$%@example.org", "o'hara!#$%@example.org"],
  ])('%j is kept as %j', (typed, kept) => expect(readEmail(typed)).toBe(kept));

  test.each([
    ['a ligature', '\uFB01nance@corp.example'],
    ['full width', '\uFF46inance@corp.example'],
    ['a long s', 'bo\u017Fs@corp.example'],
    ['a mathematical letter', '\u{1D41F}inance@corp.example'],
    ['a raised letter', 'a\u1D43@corp.example'],
    ['a full-width dot in the domain', 'finance@corp\uFF0Eexample'],
    ['a zero-width joiner', 'fin\u200Dance@corp.example'],
    ['a soft hyphen', 'fin\u00ADance@corp.example'],
    ['a Hangul filler', 'finance\u3164@corp.example'],
    ['old Hangul', '\u1100\u1100@corp.example'],
    ['a symbol', '\u2603@corp.example'],
    ['a character that Unicode does not have', 'a\u0378@corp.example'],
    ['a blank', 'a b@corp.example'],
    ['two signs', 'a@b@corp.example'],
    ['no name', '@corp.example'],
  ])('with %s is refused', (_, typed) => expect(readEmail(typed)).toBeUndefined());

  test('that is accepted folds to another one only by its case', () => {
    for (let point = 0x21; point < 0x30000; point += 1) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const email = readEmail(`x${String.fromCodePoint(point)}x@example.org`);
      if (email === undefined) continue;
      if (foldEmail(email) !== email.toLowerCase())
        throw new Error(`U+${point.toString(16)} folds to ${foldEmail(email)}`);
    }
  });

  test('is the same where rights depend on it in another case or composition, never in other characters', () => {
    expect(isSameEmail(' Ada@example.org', 'ada@Example.org')).toBe(true);
    expect(isSameEmail('ju\u0308rgen@example.org', 'JÜRGEN@example.org')).toBe(true);
    expect(isSameEmail('\uFB01nance@corp.example', 'finance@corp.example')).toBe(false);
  });
});
