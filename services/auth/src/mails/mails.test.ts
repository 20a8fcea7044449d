import { describe, expect, test } from '@jest/globals';
import { writeLetter } from './compose-mail.ts';
import { letterNames } from './delivery.events.ts';
import { english } from './texts/en.ts';
import { letterLanguages, letterTexts } from './texts/languages.ts';

const slots = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

describe('the letters', () => {
  test.each(Object.entries(letterLanguages))('in %s say everything, with the slots of English', (_, texts) => {
    for (const name of letterNames)
      for (const part of ['subject', 'lead', 'action', 'foot'] as const) {
        expect(slots(texts[name][part])).toEqual(slots(english[name][part]));
        expect(texts[name][part].trim()).not.toBe('');
      }
  });

  test('come in the first language wanted that there is, else in English', () => {
    expect([letterTexts('fr', 'pt-BR').lang, letterTexts(undefined, 'fr').lang, letterTexts('toString').lang]).toEqual([
      'pt',
      'en',
      'en',
    ]);
  });

  test('name the school in one line, whatever its name is, and escape it in the page', () => {
    const filling = { school: 'A\r\nBcc: eve@x.test <b>', email: 'a@b.test', link: 'https://school.test/oauth/reset' };
    const { subject, text, html } = writeLetter(english, english.reset, filling);
    expect(subject).toBe('Set a new password at A Bcc: eve@x.test <b>');
    expect(text).toContain('https://school.test/oauth/reset\n');
    expect(html).not.toContain('<b>');
    expect(html).toContain('href="https://school.test/oauth/reset"');
  });
});
