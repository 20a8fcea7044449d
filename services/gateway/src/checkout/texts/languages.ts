import type { UiLanguage } from '@lyceum/contracts';
import type { CheckoutTexts } from './checkout-texts.ts';
import { germanCheckout } from './de.ts';
import { englishCheckout } from './en.ts';
import { koreanCheckout } from './ko.ts';
import { portugueseCheckout } from './pt.ts';

/** The languages of the pages: those of the pages for signing in. */
export const checkoutLanguages: Readonly<Record<UiLanguage, CheckoutTexts>> = {
  en: englishCheckout,
  de: germanCheckout,
  pt: portugueseCheckout,
  ko: koreanCheckout,
};
