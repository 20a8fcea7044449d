import { describe, expect, test } from '@jest/globals';
import { Problem } from '@lyceum/web';
import fc from 'fast-check';
import type { FormField } from '../forms/form.events.ts';
import { emailAmong, readAnswers } from './submission.answers.ts';

const field = (type: FormField['type'], more: Partial<FormField> = {}): FormField => ({
  key: type,
  label: `The ${type}`,
  type,
  required: false,
  ...more,
});

function refused(fields: readonly FormField[], given: Readonly<Record<string, string | boolean>>) {
  try {
    readAnswers(fields, given);
  } catch (error) {
    if (error instanceof Problem) return error.details?.map(({ path, code }) => [path, code]);
    throw error;
  }
  return undefined;
}

const values = (fields: readonly FormField[], given: Readonly<Record<string, string | boolean>>) =>
  readAnswers(fields, given).map(({ value }) => value);

const choice = field('choice', { options: ['red', 'blue'] });

describe('answers to a form', () => {
  test.each<[FormField, string | boolean, string | boolean]>([
    [field('text'), '  two\nlines ', 'two\nlines'],
    [field('text'), '<script>alert(1)</script>', '<script>alert(1)</script>'],
    [field('text'), '=HYPERLINK("https://evil.test")', '=HYPERLINK("https://evil.test")'],
    [field('text'), 'עברית \u202e and zero\u200bwidth', 'עברית \u202e and zero\u200bwidth'],
    [field('email'), ' Ada@Example.org ', 'Ada@Example.org'],
    [field('phone'), '+351 21 (234) 56-78', '+351 21 (234) 56-78'],
    [choice, 'red', 'red'],
    [field('checkbox'), true, 'true'],
    [field('date'), '2026-02-28', '2026-02-28'],
  ])('%o takes %j', (each, given, kept) => expect(values([each], { [each.key]: given })).toEqual([kept]));

  test.each<[FormField, string | boolean]>([
    [field('text'), 'NUL \u0000'],
    [field('text'), '\ud800'],
    [field('text'), 'x'.repeat(5_001)],
    [field('text', { max: 3 }), 'four'],
    [field('text'), true],
    [field('email'), 'nobody'],
    [field('email'), 'a@b@c'],
    [field('email'), 'ada@example.org\nBcc: all@example.org'],
    [field('email'), `${'a'.repeat(64)}@${'b'.repeat(190)}`],
    [field('phone'), 'call me'],
    [field('phone'), '+351\n123456'],
    [choice, 'green'],
    [choice, '__proto__'],
    [field('checkbox'), 'on'],
    [field('date'), '2026-02-30'],
    [field('date'), 'tomorrow'],
  ])('%o does not take %j', (each, given) =>
    expect(refused([each], { [each.key]: given })).toEqual([[`answers.${each.key}`, 'invalid_answer']]),
  );

  test('are all there that are required, an unticked box and blanks are none, and unknown ones are refused', () => {
    const fields = [field('text', { required: true }), field('checkbox', { required: true }), field('phone')];
    expect(refused(fields, { text: ' ', checkbox: false, other: 'x' })).toEqual([
      ['answers.other', 'unknown_field'],
      ['answers.text', 'required'],
      ['answers.checkbox', 'required'],
    ]);
    expect(values(fields, { text: 'a', checkbox: true, phone: '' })).toEqual(['a', 'true']);
    expect(refused([field('text')], { constructor: 'x' })).toEqual([['answers.constructor', 'unknown_field']]);
  });

  test('have the address of the first field for one', () => {
    const fields = [field('text'), field('email', { key: 'one' }), field('email', { key: 'two' })];
    expect(emailAmong(fields, readAnswers(fields, { text: 'x@y.z', two: 'b@example.org' }))).toBe('b@example.org');
    expect(emailAmong(fields, readAnswers(fields, { one: 'a@example.org', two: 'b@example.org' }))).toBe(
      'a@example.org',
    );
    expect(emailAmong(fields, [])).toBe('');
  });

  test('of whatever text are refused by the problem, or kept within the length (2,000)', () => {
    const fields = [field('text', { max: 100 }), field('email'), field('phone'), choice, field('date')];
    const given = fc.dictionary(
      fc.constantFrom(...fields.map(({ key }) => key), 'other'),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(given, (answers) => {
        if (refused(fields, answers)) return;
        for (const { value } of readAnswers(fields, answers)) expect([...value].length).toBeLessThanOrEqual(254);
      }),
      { numRuns: 2_000 },
    );
  });
});
