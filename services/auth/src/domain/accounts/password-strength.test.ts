import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { normalisePassword, passwordProblem } from './password-strength.ts';

const ada = { email: 'ada.byron@example.org', name: 'Ada Byron', school: 'Lantern Craft School' };

describe('a new password', () => {
  test.each([
    'correct horse battery staple',
    'x9$kQ2vLmz',
    'ein Vogel wollte Hochzeit machen',
    '나는 오늘 학교에 갔다가',
    'mfvqzxtrwk',
  ])('NIST SP 800-63B §3.1.1.2: needs no particular kind of characters: %s', async (password) =>
    expect(await passwordProblem(password, ada)).toBeUndefined(),
  );

  test.each([
    ['passwordTooShort', ''],
    ['passwordTooShort', 'x9$kQ2v'],
    ['passwordTooLong', 'x9$kQ2vLmz'.repeat(103)],
    ['passwordCommon', 'password'],
    ['passwordCommon', 'Password123'],
    ['passwordCommon', 'qwertyuiop'],
    ['passwordCommon', 'iloveyou1'],
    ['passwordGuessable', 'aaaaaaaaaaaaaaaaaaaa'],
    ['passwordGuessable', 'abcdefghijkl'],
    ['passwordPersonal', 'ada.byron'],
    ['passwordPersonal', 'AdaByron1'],
    ['passwordPersonal', 'lanterncraft'],
    ['passwordPersonal', 'LanternCraftSchool'],
    ['passwordPersonal', 'ada.byron@example.org'],
  ])('NIST SP 800-63B §3.1.1.2: %s refuses %j', async (problem, password) =>
    expect(await passwordProblem(password, ada)).toBe(problem),
  );

  test('has 8 to 1024 characters, counted as people count them', async () => {
    const mixed = Array.from({ length: 1024 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000))).join(
      '',
    );
    expect(await passwordProblem(mixed, ada)).toBeUndefined();
    expect(await passwordProblem(`${mixed}x`, ada)).toBe('passwordTooLong');
    expect(await passwordProblem('😀😁😂🤣😃😄😅', ada)).toBe('passwordTooShort');
  });

  test('RFC 8265 §4.2: is one password however its letters were composed', () => {
    expect(normalisePassword('pa\u0308ssword')).toBe(normalisePassword('p\u00e4ssword'));
  });

  test('is judged without failing, whatever was typed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (password) => {
        const problem = await passwordProblem(password, { school: '' });
        return problem === undefined || /^password[A-Z]/.test(problem);
      }),
      { numRuns: 100 },
    );
  });
});
