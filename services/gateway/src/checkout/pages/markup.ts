import type { UiLanguage } from '@lyceum/contracts';
import { htmlText } from '../../discovery/text/html-text.ts';
import { money } from '../../discovery/text/money.ts';
import { type PageStyle } from '../../discovery/pages/page-style.ts';
import { pageShell } from '../../discovery/pages/page-shell.ts';
import type { School } from '../../routing/school.ts';
import type { Seller } from '../asking/shop.ts';
import type { CheckoutTexts } from '../texts/checkout-texts.ts';
import { checkoutLanguages } from '../texts/languages.ts';
import { checkoutStyle } from './checkout-style.ts';

/** What every page of the checkout is made from. */
export interface PageFrame {
  readonly school: School;
  readonly seller: Seller;
  readonly language: UiLanguage;
}

/** A page, and the headers that belong to it. */
export interface CheckoutPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Text of others inside a sentence, in its own direction. */
export const told = (text: string): string => `<bdi>${htmlText(text)}</bdi>`;

/** A sentence of ours with its slots filled: each is HTML already. */
export const filled = (sentence: string, slots: Readonly<Record<string, string>>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (slot, name: string) => slots[name] ?? slot);

/** An amount as people write it. */
export const priceIn = (amount: Parameters<typeof money>[0], language: UiLanguage): string =>
  htmlText(money(amount, language));

/** A time (RFC 3339) as people write it, in the time zone of the school. */
export function momentIn(time: string, { language, seller }: Pick<PageFrame, 'language' | 'seller'>): string {
  const style = { dateStyle: 'long', timeStyle: 'short' } as const;
  const shown = formatter(language, seller.timezone, style).format(Date.parse(time));
  return `<time datetime="${htmlText(time)}">${htmlText(shown)}</time>`;
}

/** A zone that this system does not know is better shown as UTC than not at all. */
export function formatter(
  language: UiLanguage,
  timeZone: string,
  style: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(language, { ...style, timeZone });
  } catch {
    return new Intl.DateTimeFormat(language, { ...style, timeZone: 'UTC' });
  }
}

/** A row of a list of facts or sums; the value is HTML already. */
export const fact = (name: string, value: string, kind = ''): string =>
  `<div${kind && ` class="${kind}"`}><dt>${name}</dt><dd>${value}</dd></div>`;

/** Fields that go back as they came. */
export const hidden = (fields: readonly (readonly [name: string, value: string])[]): string =>
  fields.map(([name, value]) => `<input type="hidden" name="${name}" value="${htmlText(value)}">`).join('\n');

const isAddress = (text: string | null | undefined): text is string => /^https?:\/\//.test(text ?? '');

const mailbox = /^[^\s@"<>?&#%]{1,64}@[^\s@"<>?&#%]{1,190}$/;

/** Who sells, with the texts that the law wants where a person buys. */
function footer({ school, seller }: PageFrame, said: CheckoutTexts): string {
  const { legal, contact_email: mail } = seller;
  const links = [
    [said.terms, legal.terms],
    [said.privacy, legal.privacy],
    [said.imprint, legal.imprint],
  ] as const;
  const shown = links.flatMap(([name, url]) =>
    isAddress(url) ? [`<a href="${htmlText(url)}" rel="noreferrer">${name}</a>`] : [],
  );
  const contact = mail && mailbox.test(mail) ? [`<a href="mailto:${htmlText(mail)}">${told(mail)}</a>`] : [];
  const seller_ = `<span>${filled(said.soldBy, { school: told(school.name) })}</span>`;
  return `<footer>${[seller_, ...shown, ...contact].join('\n')}</footer>`;
}

/**
 * The policy of pages with forms. What a form leads to after a redirect counts as well: the provider's page, always by https
 * but at a school that has none itself.
 */
const policyOf = ({ hash }: PageStyle, { secure }: School): string =>
  [
    "default-src 'none'",
    `style-src '${hash}'`,
    'img-src data:',
    "base-uri 'none'",
    `form-action 'self' https:${secure ? '' : ' http:'}`,
    "frame-ancestors 'none'",
  ].join('; ');

const nobodyNeeds = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'usb'];

const headers: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Frame-Options': 'DENY',
  'Permissions-Policy': nobodyNeeds.map((feature) => `${feature}=()`).join(', '),
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** A page of the checkout around its content. `isFaulty`: a form is shown again, which the title says first. */
export function checkoutPage(
  frame: PageFrame,
  { title, main, isFaulty = false, two = false }: { title: string; main: string; isFaulty?: boolean; two?: boolean },
): CheckoutPage {
  const { school, language } = frame;
  const said = checkoutLanguages[language];
  const body = `<a class="skip" href="#main">${said.skip}</a>
<header><div><a href="/"><span class="name">${told(school.name)}</span></a></div></header>
<main id="main" tabindex="-1"${two ? ' class="two"' : ''}>
${main}
</main>
${footer(frame, said)}`;
  const named = `${isFaulty ? `${said.problem}: ` : ''}${title} · ${htmlText(school.name)}`;
  const head = '<meta name="robots" content="noindex">\n';
  const { html } = pageShell(school.look, { language, title: named, head, body, style: checkoutStyle });
  const policy = policyOf(checkoutStyle(school.look), school);
  return { html, headers: { ...headers, 'Content-Security-Policy': policy } };
}
