import { nothingLoaded, pageShell } from '../discovery/pages/page-shell.ts';
import { siteStyleWith } from '../discovery/site/site-style.ts';
import { htmlText } from '../discovery/text/html-text.ts';
import type { School } from '../routing/school.ts';
import { type FormShowing, type ShownForm, formHtml } from './form-html.ts';
import { type FormTexts, formLanguages } from './form-texts.ts';

/** A page, and the headers that belong to it. */
export interface FormPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Who reads a page. */
export type Reader = Pick<FormShowing, 'language'> & { readonly school: School };

/** What a page is called; all of it is HTML already. */
interface Titles {
  readonly title: string;
  readonly heading?: string;
  readonly lead?: string;
}

/** A page of the school without scripts, for one person and once. */
export function page(
  { school, language }: Reader,
  { title, heading = title, lead = '' }: Titles,
  body: string,
  sendsForms: boolean,
): FormPage {
  const { html, policy } = pageShell(school.look, {
    language,
    title: `${title} · ${htmlText(school.name)}`,
    head: '<meta name="robots" content="noindex">\n',
    body: `<header><div>
<h1>${heading}</h1>
${lead}</div></header>
<main id="main" tabindex="-1">
${body}
</main>`,
    style: siteStyleWith(''),
    sources: { ...nothingLoaded, sendsForms },
  });
  const type = { 'Content-Type': 'text/html; charset=utf-8', 'Cross-Origin-Opener-Policy': 'same-origin' };
  return { html, headers: { ...type, ...policy, 'Cache-Control': 'no-store' } };
}

/** A form alone: with what was typed, and why it was not taken. */
export function formPage(
  reader: Reader,
  form: ShownForm,
  showing: Pick<FormShowing, 'typed' | 'problems'> & { readonly why?: keyof FormTexts },
): FormPage {
  const { why, ...shown } = showing;
  const said = formLanguages[reader.language];
  const note = why ? `<p class="problem" role="alert">${said[why]}</p>\n` : '';
  return page(
    reader,
    { title: said.title },
    note + formHtml(form, { ...shown, language: reader.language, prefix: 'f-' }),
    true,
  );
}

/** What whoever has sent a form reads: what the school says, else our own words. */
export function sentPage(reader: Reader, message: string): FormPage {
  const said = formLanguages[reader.language];
  const words = message === '' ? said.thanks : `<bdi>${htmlText(message).replace(/\r?\n/g, '<br>')}</bdi>`;
  const school = `<bdi>${htmlText(reader.school.name)}</bdi>`;
  const onward = `<p class="buttons"><a class="button" href="/">${said.onward.replace('{school}', () => school)}</a></p>`;
  return page(reader, { title: said.sent }, `<section><p>${words}</p>${onward}</section>`, false);
}
