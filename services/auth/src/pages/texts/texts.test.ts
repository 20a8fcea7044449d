import { describe, expect, test } from '@jest/globals';
import { scopeNames } from '@lyceum/contracts';
import { counted, sentence } from '../markup/sentence.ts';
import { textsFor } from './choose-language.ts';
import { german } from './de.ts';
import { english } from './en.ts';
import { korean } from './ko.ts';
import { languages } from './languages.ts';
import { portuguese } from './pt.ts';

/** Every sentence with its path: `signInWaitSeconds.one`, `scopes.openid`. */
const sentencesOf = (texts: object, path = ''): readonly (readonly [string, string])[] =>
  Object.entries(texts).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'string' ? [[path + key, value] as const] : sentencesOf(value as object, `${path}${key}.`),
  );
const slots = (text: string): readonly string[] => (text.match(/\{\w+\}/g) ?? []).sort();
/** A plural form is compared with the English form for many. */
const source = new Map(sentencesOf(english));
const sourceOf = (path: string): string | undefined =>
  source.get(path) ?? source.get(path.replace(/\.(zero|one|two|few|many)$/, '.other'));

describe.each(Object.entries(languages))('the catalogue %s', (tag, texts) => {
  test('has every key of English and no other', () => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort());
  });

  test('has every placeholder of each sentence, and none that nobody fills', () => {
    for (const [path, text] of sentencesOf(texts)) expect([path, slots(text)]).toEqual([path, slots(sourceOf(path)!)]);
  });

  test('says something everywhere, in one line, without markup or straight quotes', () => {
    for (const [path, text] of sentencesOf(texts)) {
      expect([path, text.trim()]).toEqual([path, text]);
      expect(text).toMatch(/^[^\s<>"&][^\n<>"&]*$/);
    }
  });

  test('names a language whose own number rules choose a form that is there', () => {
    expect(texts.lang).toBe(tag);
    const rules = new Intl.PluralRules(texts.lang);
    for (const [key, forms] of Object.entries(texts).filter(([key]) => key !== 'scopes'))
      if (typeof forms === 'object')
        for (let count = 0; count <= 200; count += 1)
          expect([key, Object.keys(forms)]).toEqual([key, expect.arrayContaining([rules.select(count)])]);
  });

  test('describes every scope', () => {
    expect(Object.keys(texts.scopes)).toEqual(scopeNames);
    expect(new Set(Object.values(texts.scopes)).size).toBe(scopeNames.length);
  });
});

test.each([german, korean, portuguese])(
  '$languageName is translated: hardly a sentence is the English one',
  (texts) => {
    const same = sentencesOf(texts).filter(([path, text]) => text === sourceOf(path) && path !== 'pageTitle');
    expect(same.map(([path]) => path).filter((path) => !['dir', 'email'].includes(path))).toEqual([]);
  },
);

describe('the language of a page', () => {
  test('OIDC Core §3.1.2.1: is the first of ui_locales that there is', () => {
    expect(textsFor({ asked: 'tlh fr-CA ko de', accepted: 'de', school: 'pt' })).toBe(korean);
  });

  test('RFC 9110 §12.5.4: is else the heaviest of Accept-Language, where a weight of 0 refuses', () => {
    expect(textsFor({ accepted: 'de;q=0.5, fr, pt-BR;q=0.8, ko;q=0' })).toBe(portuguese);
    expect(textsFor({ accepted: 'ko;q=0, *;q=0.1', school: 'de-AT' })).toBe(german);
    expect(textsFor({ accepted: 'de;q=much' })).toBe(english);
  });

  test('is else that of the school, else English', () => {
    expect(textsFor({ accepted: '*', school: 'de' })).toBe(german);
    expect(textsFor({ accepted: 'fr', school: 'x' })).toBe(english);
    expect(textsFor({})).toBe(english);
  });

  test('is not found by the names that every object has', () => {
    expect(textsFor({ asked: 'constructor __proto__ toString', accepted: 'valueOf', school: 'hasOwnProperty' })).toBe(
      english,
    );
  });

  test('is looked for among the first twenty wishes only', () => {
    expect(textsFor({ asked: `${'x '.repeat(20)}ko` })).toBe(english);
    expect(textsFor({ accepted: `${'x,'.repeat(20)}ko` })).toBe(english);
    expect(textsFor({ accepted: `${'x'.repeat(600)},ko` })).toBe(english);
  });
});

describe('a sentence', () => {
  test('escapes what fills its slots and keeps their order in the language', () => {
    expect(sentence(korean, 'browserOn', { browser: '<Firefox>', system: 'Linux' }).toString()).toBe(
      'Linux의 &lt;Firefox&gt;',
    );
  });

  test('takes the form that its number has in the language', () => {
    expect(`${counted(english, 'signInWaitSeconds', 1, {})}`).toMatch(/in 1 second\.$/);
    expect(`${counted(german, 'signInWaitSeconds', 2, {})}`).toMatch(/in 2 Sekunden wieder\.$/);
    expect(`${counted(portuguese, 'clientPermissions', 0, {})}`).toBe('0 permissão');
    expect(`${counted(korean, 'signInWaitMinutes', 1, {})}`).toContain('1분');
  });
});
