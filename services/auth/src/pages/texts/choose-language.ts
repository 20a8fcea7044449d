import { type LanguageWishes, uiLanguage } from '@lyceum/contracts';
import { languages } from './languages.ts';
import type { Texts } from './texts.ts';

/** The sentences in the first language wanted that there is, else in English. Never fails, whatever was sent. */
export const textsFor = (wishes: LanguageWishes): Texts => languages[uiLanguage(wishes)];
