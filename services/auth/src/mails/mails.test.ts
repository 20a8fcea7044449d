import { describe, expect, test } from '@jest/globals';
import { composeMail } from './compose-mail.ts';
import { english } from './texts/en.ts';
import { mailLanguages, mailTextsFor } from './texts/languages.ts';

const slots = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

describe('the letters', () => {
  test.each(Object.entries(mailLanguages))('in %s say everything, with the slots of English', (_, texts) => {
    const { lang: _lang, ...letters } = english;
    expect(Object.keys(letters).length).toBeGreaterThan(5);
    for (const name of Object.keys(letters) as (keyof typeof letters)[])
      for (const part of ['subject', 'lead', 'action', 'foot'] as const) {
        expect(slots(texts[name][part])).toEqual(slots(english[name][part]));
        expect(texts[name][part].trim()).not.toBe('');
      }
  });

  test('come in the first language wanted that there is, else in English', () => {
    expect([
      mailTextsFor('fr', 'pt-BR').lang,
      mailTextsFor(undefined, 'fr').lang,
      mailTextsFor('toString').lang,
    ]).toEqual(['pt', 'en', 'en']);
  });

  test('name the school in one line, whatever its name is, and escape it in the page', () => {
    const filling = { school: 'A\r\nBcc: eve@x.test <b>', email: 'a@b.test', link: 'https://school.test/oauth/reset' };
    const { subject, text, html } = composeMail(english, english.reset, filling);
    expect(subject).toBe('Set a new password at A Bcc: eve@x.test <b>');
    expect(text).toContain('https://school.test/oauth/reset\n');
    expect(html).not.toContain('<b>');
    expect(html).toContain('href="https://school.test/oauth/reset"');
  });
});
