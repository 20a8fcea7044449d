import type { UiLanguage } from '@lyceum/contracts';
import { type Document, document } from '../../http/document.ts';
import type { School } from '../../routing/school.ts';
import type { CertificateDetail } from './certificate-detail.ts';
import type { Site } from '../metadata/oauth-metadata.ts';
import { htmlText } from '../text/html-text.ts';
import { certificateStyle } from './certificate-style.ts';
import { type CertificateTexts, certificateLanguages } from './certificate-texts.ts';
import { pageShell } from '../pages/page-shell.ts';

/** A day of the calendar (YYYY-MM-DD) as people write it in a language. */
const dayIn = (day: string, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(day));

const fact = (name: string, value: string): string => `<div><dt>${name}</dt><dd>${value}</dd></div>`;

/** The certificate itself: what is printed. */
const sheet = (
  { name: school, baseUrl }: Site,
  { code, name, course_title, completed_on }: CertificateDetail,
  said: CertificateTexts,
  language: UiLanguage,
): string => {
  const url = `${baseUrl}/certificates/${code}`;
  const size = name.length + course_title.length > roomy ? ' long' : '';
  return `<article class="sheet">
<div class="frame${size}">
<p class="school"><bdi>${htmlText(school)}</bdi></p>
<h1>${said.title}</h1>
<p>${said.certifies}</p>
<p class="name"><bdi>${htmlText(name)}</bdi></p>
<p>${said.completed}</p>
<p class="course"><bdi>${htmlText(course_title)}</bdi></p>
<dl>${[
    fact(said.on, `<time datetime="${completed_on}">${htmlText(dayIn(completed_on, language))}</time>`),
    fact(said.code, `<code>${htmlText(code)}</code>`),
    fact(said.verify, `<a href="${htmlText(url)}"><bdi>${htmlText(url.replace(/^https?:\/\//, ''))}</bdi></a>`),
  ].join('')}</dl>
</div>
</article>`;
};

/** Characters of name and title that fit on a sheet in large letters. */
const roomy = 100;

/**
 * The page of a certificate, in the language of the reader: to look at, and to print on one sheet of A4. No script. One that
 * was revoked is not shown as a certificate: the page says so.
 */
export function certificatePage(
  site: Site,
  { look }: Pick<School, 'look'>,
  certificate: CertificateDetail,
  language: UiLanguage,
): Document {
  const said = certificateLanguages[language];
  const inSchool = (text: string): string => text.replace('{school}', () => `<bdi>${htmlText(site.name)}</bdi>`);
  const shown = certificate.valid
    ? `<p class="standing" role="status"><strong>${inSchool(said.genuine)}</strong> <span>${said.print}</span></p>
${sheet(site, certificate, said, language)}`
    : `<p class="standing revoked" role="status"><strong>${inSchool(said.revoked)}</strong>
<span><bdi>${htmlText(certificate.name)}</bdi> · <bdi>${htmlText(certificate.course_title)}</bdi></span></p>`;
  const title = `${said.title} · ${htmlText(site.name)}`;
  const body = `<main id="main">
${shown}
</main>`;
  const head = '<meta name="robots" content="noindex">\n';
  const { html, policy } = pageShell(look, { language, title, head, body, style: certificateStyle });
  // Whoever keeps it would show it after it was revoked, or its holder erased.
  return document('text/html; charset=utf-8', html, {
    vary: 'Accept, Accept-Language',
    cache: 'no-store',
    headers: policy,
  });
}
