import { german } from './de.ts';
import { english } from './en.ts';
import { korean } from './ko.ts';
import type { LetterTexts } from './mail-text.ts';
import { portuguese } from './pt.ts';

/** The languages of letters, by primary language subtag (BCP 47): one file and one line for each. */
export const letterLanguages: Readonly<Record<string, LetterTexts>> = {
  de: german,
  en: english,
  ko: korean,
  pt: portuguese,
};

/** The letters in the first of these languages that there is, else in English. */
export function letterTexts(...wanted: readonly (string | undefined)[]): LetterTexts {
  for (const tag of wanted) {
    const language = (tag ?? '').split('-')[0]!.toLowerCase();
    if (Object.hasOwn(letterLanguages, language)) return letterLanguages[language]!;
  }
  return english;
}
