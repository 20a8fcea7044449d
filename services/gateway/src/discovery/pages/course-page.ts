import type { UiLanguage } from '@lyceum/contracts';
import type { School } from '../../routing/school.ts';
import type { CourseDetail } from '../content/course-detail.ts';
import { type CourseTexts, courseLanguages } from './course-texts.ts';
import { courseData } from './course-structured-data.ts';
import type { Site } from '../metadata/oauth-metadata.ts';
import { type Document, document } from '../../http/document.ts';
import { htmlText } from '../text/html-text.ts';
import { landingLanguages } from '../content/landing-texts.ts';
import { type Offer, buyingPathOf, isSoldOut } from '../content/offers.ts';
import { contentSecurityPolicy } from './page-shell.ts';
import { pageStyle } from './page-style.ts';
import { priceOf } from '../metadata/pricing-md.ts';
import { richTextHtml } from '../text/rich-text-html.ts';

/** Where the page of a course is. */
export const coursePath = (slug: string): string => `/courses/${slug}`;

/** A time in hours and minutes, as people write it in a language; a minute at least. */
function duration(seconds: number, language: string): string {
  const all = Math.max(1, Math.round(seconds / 60));
  const parts = [
    [Math.floor(all / 60), 'hour'],
    [all % 60, 'minute'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count))
    .join(' ');
}

/** The name of a language in another one; its tag where nobody knows it. */
function languageName(tag: string, language: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

type Row = readonly [name: string, value: string] | undefined;

function factsOf(offer: Offer, course: CourseDetail, said: CourseTexts, language: UiLanguage): readonly Row[] {
  const { seats, days, lessons } = offer;
  const { level, certificate, duration_s: seconds } = course;
  return [
    [said.price, priceOf(offer, landingLanguages[language])],
    seats === 'few' || seats === 'none' ? [said.seats, said[seats]] : undefined,
    [said.access, days === null ? said.forever : said.days.replace('{count}', String(days))],
    lessons > 0 ? [said.lessons, String(lessons)] : undefined,
    seconds > 0 ? [said.duration, duration(seconds, language)] : undefined,
    level ? [said.level, Object.hasOwn(said.levels, level) ? said.levels[level]! : level] : undefined,
    course.language ? [said.language, languageName(course.language, language)] : undefined,
    certificate ? [said.certificate, said.yes] : undefined,
  ];
}

const fact = ([name, value]: readonly [string, string]): string =>
  `<div><dt>${name}</dt><dd><bdi>${htmlText(value)}</bdi></dd></div>`;

const part = (id: string, title: string, inner: string): string =>
  inner === '' ? '' : `<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>\n${inner}\n</section>\n`;

const people = ({ lecturers }: CourseDetail): string =>
  lecturers.length === 0
    ? ''
    : `<ul class="people">${lecturers
        .map(
          ({ display_name, title }) =>
            `<li><strong><bdi>${htmlText(display_name)}</bdi></strong>${title ? ` <span><bdi>${htmlText(title)}</bdi></span>` : ''}</li>`,
        )
        .join('')}</ul>`;

function outline({ curriculum }: CourseDetail, said: CourseTexts, language: UiLanguage): string {
  const sections = (curriculum?.sections ?? []).filter(({ lessons }) => lessons.length > 0);
  return sections
    .map(({ title, lessons }) => {
      const rows = lessons.map(({ title: name, duration_s, preview }) => {
        const about = [preview ? said.preview : '', duration_s > 0 ? duration(duration_s, language) : ''];
        const notes = about.filter(Boolean).join(' · ');
        return `<li><bdi>${htmlText(name)}</bdi>${notes ? ` <span>${htmlText(notes)}</span>` : ''}</li>`;
      });
      return `<h3><bdi>${htmlText(title)}</bdi></h3>\n<ol class="lessons">${rows.join('')}</ol>`;
    })
    .join('\n');
}

const soldOutText = (offer: Offer, said: string): string =>
  isSoldOut(offer) ? `<p><strong>${said}</strong></p>\n` : '';

/** The page of a course that everybody may see, in the language of the reader. No script; data for search engines. */
export function coursePage(
  site: Site,
  { look }: Pick<School, 'look'>,
  { offer, course }: { readonly offer: Offer; readonly course: CourseDetail },
  language: UiLanguage,
): Document {
  const { css, hash } = pageStyle(look);
  const said = courseLanguages[language];
  const { skip, buy } = landingLanguages[language];
  const path = buyingPathOf(offer);
  const buying =
    path === undefined
      ? soldOutText(offer, said.soldOut)
      : `<p class="buttons"><a class="button primary" href="${htmlText(path)}">${buy}</a></p>\n`;
  const url = site.baseUrl + coursePath(offer.slug);
  const title = htmlText(course.title);
  const lead = course.subtitle ?? course.summary;
  const about = lead ? `<p><bdi>${htmlText(lead)}</bdi></p>\n` : '';
  const all = said.all.replace('{school}', () => `<bdi>${htmlText(site.name)}</bdi>`);
  const facts = factsOf(offer, course, said, language).filter((row) => row !== undefined);
  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${htmlText(site.name)}</title>
${course.summary ? `<meta name="description" content="${htmlText(course.summary)}">\n` : ''}<link rel="canonical" href="${htmlText(url)}">
<link rel="alternate" type="application/json" href="${htmlText(site.baseUrl + offer.path)}">
<link rel="icon" href="data:,">
<style>${css}</style>
<script type="application/ld+json">${courseData(site, url, offer, course)}</script>
</head>
<body>
<a class="skip" href="#main">${skip}</a>
<header><div>
<p class="back"><a href="/">${all}</a></p>
<h1><bdi>${title}</bdi></h1>
${about}</div></header>
<main id="main" tabindex="-1">
${part('facts', said.facts, `<dl class="facts">\n${facts.map(fact).join('\n')}\n</dl>\n${buying}<p>${said.join}</p>`)}${part('people', said.lecturers, people(course))}${part('about', said.about, textOf(course))}${part('outline', said.outline, outline(course, said, language))}</main>
</body>
</html>
`;
  return document('text/html; charset=utf-8', html, {
    vary: 'Accept-Language',
    cache: 'public, no-cache',
    headers: { 'Content-Security-Policy': contentSecurityPolicy(hash) },
  });
}

const textOf = ({ description }: CourseDetail): string => {
  const text = richTextHtml(description);
  return text === '' ? '' : `<div class="text">${text}</div>`;
};
