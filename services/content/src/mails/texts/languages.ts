import { type UiLanguage, uiLanguage } from '@lyceum/contracts';
import { german } from './de.ts';
import { english } from './en.ts';
import { korean } from './ko.ts';
import type { MailTexts } from './mail-text.ts';
import { portuguese } from './pt.ts';

/** The languages of mails: those of the pages. */
export const mailLanguages: Readonly<Record<UiLanguage, MailTexts>> = {
  de: german,
  en: english,
  ko: korean,
  pt: portuguese,
};

/** The mails in a language (BCP 47) where there are some, else in English. */
export const mailTextsFor = (language: string): MailTexts => mailLanguages[uiLanguage({ asked: language })];
