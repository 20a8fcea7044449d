import { german } from './de.ts';
import { english } from './en.ts';
import { korean } from './ko.ts';
import type { MailTexts } from './mail-text.ts';
import { portuguese } from './pt.ts';

/** The languages of mails, by primary language subtag (BCP 47): one file and one line for each. */
export const mailLanguages: Readonly<Record<string, MailTexts>> = {
  de: german,
  en: english,
  ko: korean,
  pt: portuguese,
};

/** The mails in the first of these languages that exists, else in English. */
export function mailTextsFor(...wanted: readonly (string | undefined)[]): MailTexts {
  for (const tag of wanted) {
    const language = (tag ?? '').replace(/-.*/s, '').toLowerCase();
    const texts = Object.hasOwn(mailLanguages, language) ? mailLanguages[language] : undefined;
    if (texts) return texts;
  }
  return english;
}
