import type { LetterName } from './delivery.events.ts';
import { german } from './texts/de.ts';
import { english } from './texts/en.ts';
import { korean } from './texts/ko.ts';
import { portuguese } from './texts/pt.ts';

/** What one letter says. Slots: `{school}` everywhere, `{email}` in letters about a change of address. */
export interface LetterText {
  readonly subject: string;
  readonly lead: string;
  /** What the link does. */
  readonly action: string;
  readonly foot: string;
}

/** The letters in one language. */
export type LetterTexts = { readonly lang: string } & Readonly<Record<LetterName, LetterText>>;

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
