import type { UiLanguage } from '@lyceum/contracts';
import { isSafeHref } from '@lyceum/contracts';
import { type Document, document } from '../../http/document.ts';
import type { School } from '../../routing/school.ts';
import { landingLanguages } from '../content/landing-texts.ts';
import type { Site } from '../metadata/oauth-metadata.ts';
import { type PageSources, pageShell } from '../pages/page-shell.ts';
import { htmlText } from '../text/html-text.ts';
import { sitePaths } from './site-paths.ts';
import { siteStyleWith } from './site-style.ts';
import type { SiteSummary } from './site-summary.ts';
import { siteLanguages } from './site-texts.ts';

/** The school that a document of its site is made for, and in what language. */
export interface SiteReader {
  readonly site: Site;
  readonly school: Pick<School, 'look'>;
  readonly summary: SiteSummary;
  readonly language: UiLanguage;
}

/** What of a document of the site differs from others; `title` and `description` are text, `body` is HTML already. */
interface SitePage {
  readonly title: string;
  readonly description?: string | null | undefined;
  readonly image?: string | null | undefined;
  /** Where it is, below the school's address. */
  readonly path: string;
  readonly noindex?: boolean;
  /** Whether it is about one thing that was written at a time. */
  readonly isArticle?: boolean;
  /** Lines of the head in front of what is in the main part. */
  readonly lead: string;
  readonly body: string;
  readonly sources?: PageSources;
}

/** Links of the school's own pages that stand at the head of each, where the school has not chosen any. */
const mostLinks = 6;

const systemSlugs = ['home', 'terms', 'privacy'];

const link = (href: string, label: string): string =>
  isSafeHref(href) ? `<li><a href="${htmlText(href)}"><bdi>${htmlText(label)}</bdi></a></li>` : '';

const nav = (label: string, links: readonly string[]): string =>
  links.some((each) => each !== '') ? `<nav aria-label="${htmlText(label)}"><ul>${links.join('')}</ul></nav>\n` : '';

function headNavigation({ site, summary, language }: SiteReader): string {
  const said = siteLanguages[language];
  const { navigation, pages, posts } = summary;
  const own = pages.filter(({ slug, seo }) => !systemSlugs.includes(slug) && !seo.noindex).slice(0, mostLinks);
  const links =
    navigation.length > 0
      ? navigation.map(({ href, label }) => link(href, label))
      : [
          ...own.map(({ slug, title }) => link(sitePaths.page(slug), title)),
          ...(posts.length > 0 ? [link(sitePaths.posts, said.posts)] : []),
        ];
  return nav(said.navigation, [link('/', site.name), ...links]);
}

/** A legal text: the page of the school, else what stands elsewhere. */
function legalLink({ summary }: SiteReader, which: 'terms' | 'privacy', label: string): string {
  const page = summary.pages.find(({ slug }) => slug === which);
  const elsewhere = summary.legal[which];
  if (page) return link(sitePaths.page(which), page.title);
  return elsewhere ? link(elsewhere, label) : '';
}

const foot = (reader: SiteReader): string => {
  const said = siteLanguages[reader.language];
  const links = [legalLink(reader, 'terms', said.terms), legalLink(reader, 'privacy', said.privacy)];
  const inner = nav(`${said.terms}, ${said.privacy}`, links);
  return inner === '' ? '' : `<footer>${inner}</footer>`;
};

const meta = (name: string, content: string | null | undefined, attribute = 'name'): string =>
  content ? `<meta ${attribute}="${name}" content="${htmlText(content)}">\n` : '';

/** A document of a school's site, in its look, with its navigation. No script runs in it. */
export function siteDocument(reader: SiteReader, page: SitePage): Document {
  const { site, school, summary, language } = reader;
  const url = site.baseUrl + page.path;
  const said = siteLanguages[language];
  const head = `${page.noindex ? '<meta name="robots" content="noindex">\n' : ''}${meta('description', page.description)}<link rel="canonical" href="${htmlText(url)}">
<link rel="alternate" type="application/atom+xml" title="${htmlText(said.posts)}" href="${htmlText(site.baseUrl + sitePaths.feed)}">
${meta('og:title', page.title, 'property')}${meta('og:type', page.isArticle ? 'article' : 'website', 'property')}${meta('og:url', url, 'property')}${meta('og:site_name', site.name, 'property')}${meta('og:description', page.description, 'property')}${meta('og:image', page.image, 'property')}`;
  const body = `<a class="skip" href="#main">${landingLanguages[language].skip}</a>
<header>${headNavigation(reader)}<div>
<h1><bdi>${htmlText(page.title)}</bdi></h1>
${page.lead}</div></header>
<main id="main" tabindex="-1">
${page.body}
</main>
${foot(reader)}`;
  const { html, policy } = pageShell(school.look, {
    language,
    title: `${htmlText(page.title)} · ${htmlText(site.name)}`,
    head,
    body,
    style: siteStyleWith(summary.css),
    ...(page.sources ? { sources: page.sources } : {}),
  });
  return document('text/html; charset=utf-8', html, {
    vary: 'Accept-Language',
    cache: 'public, no-cache',
    headers: policy,
  });
}
