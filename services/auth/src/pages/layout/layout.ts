import { type Html, html, trusted } from '../markup/html.ts';
import { monogram } from '../markup/monogram.ts';
import { sentence } from '../markup/sentence.ts';
import type { PageForm, PageSchool } from '../models/page-models.ts';
import type { Texts } from '../texts/texts.ts';
import { type Theme, themeOf } from './theme.ts';

interface Layout {
  readonly school: PageSchool | undefined;
  readonly texts: Texts;
  readonly title: string;
  readonly wide?: boolean;
  readonly content: Html;
}

/** An icon inside the page: the browser asks for no /favicon.ico. */
const icon = (letters: string, { palettes }: Theme): string => {
  const { accent, onAccent } = palettes.light;
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
    <rect width="32" height="32" rx="9" fill="${accent}" />
    <text
      x="16"
      y="21.5"
      text-anchor="middle"
      font-family="sans-serif"
      font-size="14"
      font-weight="700"
      fill="${onAccent}"
    >
      ${letters}
    </text>
  </svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg.toString())}`;
};

/** Whole, because the hash of the policy counts every character between the tags. */
const styleElement = ({ style }: Theme): Html => trusted(`<style>${style}</style>`);

/** The school's own page, at the host where all these pages are. */
const home = '/';

/** The way to the school from a page that ends something. */
export const homeLink = (texts: Texts, { name }: PageSchool): Html =>
  html`<p class="quiet">
    <a href="${home}">${sentence(texts, 'toSchool', { school: html`<bdi>${name}</bdi>` })}</a>
  </p>`;

const banner = ({ name, look }: PageSchool): Html => {
  const shown = look?.logo_text ?? name;
  return html`<header>
    <a class="home" href="${home}">
      <span class="monogram" aria-hidden="true">${monogram(shown)}</span>
      <span class="wordmark"><bdi>${shown}</bdi></span>
    </a>
  </header>`;
};

/** What a browser paints around the page. */
const themeColours = ({ palettes, darkMode }: Theme): Html => {
  const { light, dark } = palettes;
  if (darkMode !== 'auto') return html`<meta name="theme-color" content="${palettes[darkMode].page}" />`;
  return html`<meta name="theme-color" media="(prefers-color-scheme: light)" content="${light.page}" />
    <meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark.page}" />`;
};

/** The whole document around the content of a page: language, title, style, school, skip link, main landmark. */
export function layout({ school, texts, title, wide, content }: Layout): string {
  const theme = themeOf(school?.look);
  const fullTitle = school ? sentence(texts, 'pageTitle', { title, school: school.name }) : title;
  return html`<!doctype html>
    <html lang="${texts.lang}" dir="${texts.dir}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${themeColours(theme)}
        <title>${fullTitle}</title>
        <link rel="icon" href="${icon(school ? monogram(school.look?.logo_text ?? school.name) : '', theme)}" />
        ${styleElement(theme)}
      </head>
      <body data-layout="${theme.layout}">
        <a class="skip" href="#main">${texts.skipToContent}</a>
        ${school && banner(school)}
        <main id="main" tabindex="-1" ${wide && html` class="wide"`}>${content}</main>
      </body>
    </html> `.toString();
}

/**
 * A form with its hidden fields, which go back as they came (a browser sends a line break as CRLF).
 * Throws a TypeError when a hidden field has the name of a visible one: it would answer in the person's place.
 */
export function postForm(form: PageForm, visible: readonly string[], content: Html): Html {
  const clash = visible.find((name) => Object.hasOwn(form.hidden, name));
  if (clash) throw new TypeError(`the hidden field ${clash} has the name of a visible one`);
  const hidden = Object.entries(form.hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" /> `,
  );
  return html`<form method="post" action="${form.action}">${hidden}${content}</form>`;
}
