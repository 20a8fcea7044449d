import { describe, expect, test } from '@jest/globals';
import { uiLocales } from '@lyceum/contracts';
import { composeMail, dayIn, momentIn } from '@lyceum/service';
import { hostileLines, hostileMarkup } from '@lyceum/testkit';
import { moneyIn } from './mail.values.ts';
import { mailLanguages, mailTextsFor } from './texts/languages.ts';
import type { MailText } from './texts/mail-text.ts';

const slotsOf = (text: string): readonly string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').sort();
const mailsIn = (texts: object): readonly (readonly [string, MailText])[] =>
  Object.entries(texts).filter((entry): entry is [string, MailText] => typeof entry[1] === 'object');

describe('the mails', () => {
  test('are there in each language of the pages, with the same slots', () => {
    expect(Object.keys(mailLanguages).sort()).toEqual([...uiLocales].sort());
    const english = mailsIn(mailLanguages.en);
    for (const texts of Object.values(mailLanguages)) {
      const all = mailsIn(texts);
      expect(all.map(([name]) => name).sort()).toEqual(english.map(([name]) => name).sort());
      for (const [name, said] of english) {
        const own = all.find(([other]) => other === name)?.[1];
        for (const part of ['subject', 'lead', 'foot', 'action'] as const)
          expect([name, slotsOf(own?.[part] ?? '')]).toEqual([name, slotsOf(said[part])]);
      }
    }
  });

  test.each([
    ['de-AT', 'de'],
    ['ko', 'ko'],
    ['pt-BR', 'pt'],
    ['fr', 'en'],
    ['', 'en'],
  ])('for %s are in %s', (wanted, expected) => expect(mailTextsFor(wanted).lang).toBe(expected));

  test('say amounts with the digits of their currency, and days in the time zone of the school', () => {
    expect(moneyIn('en', { amount: 4_900, currency: 'JPY' })).toBe('¥4,900');
    expect(moneyIn('en', { amount: 4_900, currency: 'KWD' }).replace(/\s/g, ' ')).toBe('KWD 4.900');
    expect(moneyIn('de', { amount: 123_456, currency: 'EUR' }).replace(/\s/g, ' ')).toBe('1.234,56 €');
    expect(moneyIn('en', { amount: 5, currency: '??' })).toBe('5 ??');
    expect(dayIn('de', 'Pacific/Auckland', '2026-01-05T12:00:00.000Z')).toBe('6. Januar 2026');
    expect(momentIn('en', 'UTC', '2026-01-05T12:30:00.000Z')).toMatch(/January 5, 2026.*12:30.*UTC/);
  });

  /** A mail in which a text stands wherever one can. */
  const mailWith = (text: string) =>
    composeMail({
      language: 'en',
      subject: `Order ${text}`,
      lead: text,
      rows: [[text, '$1.00']],
      total: ['Total', '$1.00'],
      block: `Line 1\n${text}`,
      action: 'Open',
      link: `https://school.test/?a=1&b="><img src=x>`,
      foot: 'Bye',
      from: 'School',
    });
  const tagsIn = (html: string) => html.match(/<[^>]*>/g)?.filter((tag) => tag !== '<br>');

  test.each([...hostileMarkup, ...hostileLines])(
    'are text and a page of which nothing can run or load, where people are called %j',
    (hostile) => {
      const { subject, text, html = '' } = mailWith(hostile);
      expect(subject).not.toMatch(/[\r\n]/);
      expect(tagsIn(html)).toEqual(tagsIn(mailWith('Ada').html ?? ''));
      expect(html).toContain('href="https://school.test/?a=1&amp;b=&quot;&gt;&lt;img src=x&gt;"');
      expect(text).toContain('Total: $1.00');
      expect(text.endsWith('Bye\n\nSchool\n')).toBe(true);
    },
  );
});
