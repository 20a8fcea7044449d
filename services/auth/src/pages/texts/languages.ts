import type { UiLanguage } from '@lyceum/contracts';
import { german } from './de.ts';
import { english } from './en.ts';
import { korean } from './ko.ts';
import { portuguese } from './pt.ts';
import type { Texts } from './texts.ts';

/** The languages of the pages, by primary language subtag (BCP 47). One line for each. */
export const languages: Readonly<Record<UiLanguage, Texts>> = {
  en: english,
  de: german,
  ko: korean,
  pt: portuguese,
};
