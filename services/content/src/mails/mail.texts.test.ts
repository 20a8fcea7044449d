import { describe, expect, test } from '@jest/globals';
import { uiLocales } from '@lyceum/contracts';
import { composeMail } from '@lyceum/service';
import { hostileLines, hostileMarkup } from '@lyceum/testkit';
import { mailContents } from './mail.contents.ts';
import { mailLanguages, mailTextsFor } from './texts/languages.ts';
import type { MailText } from './texts/mail-text.ts';

const slotsOf = (text: string): readonly string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').sort();
const mailsIn = (texts: object): readonly (readonly [string, MailText])[] =>
  Object.entries(texts).filter((entry): entry is [string, MailText] => typeof entry[1] === 'object');

describe('the mails about events', () => {
  test('are there in each language of the pages, with the same slots', () => {
    expect(Object.keys(mailLanguages).sort()).toEqual([...uiLocales].sort());
    const english = mailsIn(mailLanguages.en);
    for (const texts of Object.values(mailLanguages)) {
      const all = new Map(mailsIn(texts));
      expect([...all.keys()].sort()).toEqual(english.map(([name]) => name).sort());
      for (const [name, said] of english)
        for (const part of ['subject', 'lead', 'foot'] as const)
          expect([name, slotsOf(all.get(name)?.[part] ?? '')]).toEqual([name, slotsOf(said[part])]);
    }
    expect(mailTextsFor('pt-BR').lang).toBe('pt');
  });

  /** Each mail about an event in which a text stands wherever one can. */
  function mailsWith(said: string) {
    const at = '2026-03-29T00:30:00.000Z';
    const event = {
      title: said,
      slug: 'lanterns',
      timezone: 'Europe/Lisbon',
      starts_at: at,
      mode: 'in_person',
      venue: { name: said, address: said },
      join_url: null,
      cancel_note: said,
    };
    const seller = { name: said, details: null, base_url: 'https://s.test', locale: 'en', timezone: 'UTC' };
    return ['self', 'event', 'staff', at].flatMap((part) =>
      (['confirmed', 'canceled', 'day'] as const).map((what) => {
        const delivery = { what, about: 'registration_1', part, since: at, until: at };
        const registration = { status: 'confirmed' };
        const cancelAt = 'https://s.test/registrations/x';
        const written = { delivery, registration, event, seller, texts: mailLanguages.en, cancelAt };
        return { what, ...composeMail(mailContents(written as never)) };
      }),
    );
  }
  // What is short stays in one line, and what is long does not.
  const tagsIn = (html = '') =>
    html
      .replaceAll(';white-space:nowrap', '')
      .match(/<[^>]*>/g)
      ?.filter((tag) => tag !== '<br>');

  test.each([...hostileMarkup, ...hostileLines])(
    'are of one line where they must be, and nothing in them runs, where people are called %j',
    (hostile) => {
      const plain = mailsWith('Ada');
      for (const [index, { what, subject, html, text }] of mailsWith(hostile).entries()) {
        expect(subject).not.toMatch(/[\r\n]/);
        expect(tagsIn(html)).toEqual(tagsIn(plain[index]?.html));
        expect(text.split('\n').filter((line) => line.startsWith('Bcc:') && what !== 'canceled')).toEqual([]);
      }
    },
  );
});
