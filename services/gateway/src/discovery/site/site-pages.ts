import type { Document } from '../../http/document.ts';
import { landingLanguages } from '../content/landing-texts.ts';
import type { Offer } from '../content/offers.ts';
import { buyingPathOf } from '../content/offers.ts';
import { htmlText } from '../text/html-text.ts';
import { richTextHtml } from '../text/rich-text-html.ts';
import { blocksHtml } from './blocks-html.ts';
import { SourceList } from './page-sources.ts';
import type { PageDetail, PostDetail } from './site-detail.ts';
import { sitePaths } from './site-paths.ts';
import { type SiteReader, siteDocument } from './site-shell.ts';
import type { PostEntry } from './site-summary.ts';
import { siteLanguages } from './site-texts.ts';

/** What a page is made with beside its reader. */
type Offers = readonly Offer[] | undefined;

/** A page of the site. */
export function sitePage(reader: SiteReader, page: PageDetail, offers: Offers): Document {
  const sources = new SourceList();
  const { seo, slug } = page;
  return siteDocument(reader, {
    title: seo.title ?? page.title,
    description: seo.description,
    image: seo.image,
    path: sitePaths.page(slug),
    noindex: seo.noindex,
    lead: '',
    body: blocksHtml(page.blocks, {
      offers,
      said: landingLanguages[reader.language],
      language: reader.language,
      sources,
    }),
    sources,
  });
}

/** A day as people write it in a language. */
function day(time: string | null | undefined, language: string): string {
  if (!time || Number.isNaN(Date.parse(time))) return '';
  const written = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time));
  return `<time datetime="${htmlText(time)}">${htmlText(written)}</time>`;
}

const about = (parts: readonly string[]): string => {
  const there = parts.filter((part) => part !== '');
  return there.length === 0 ? '' : `<p class="about">${there.join(' · ')}</p>\n`;
};

/** Why the text is not there, and what opens it. */
function lockedNote({ visibility, unlock }: PostDetail, { language }: SiteReader, offers: Offers): string {
  const said = siteLanguages[language];
  const { subscribe } = landingLanguages[language];
  const plans = (offers ?? []).filter(({ id }) => unlock.includes(id));
  const buying = plans.flatMap((plan) => {
    const path = buyingPathOf(plan);
    const name = `<bdi>${htmlText(plan.name)}</bdi>`;
    return path === undefined ? [] : [`<a class="button primary" href="${htmlText(path)}">${subscribe}: ${name}</a>`];
  });
  const buttons = buying.length === 0 ? '' : `<p class="buttons">${buying.join('')}</p>`;
  const why = visibility === 'plans' ? said.forPlans : said.forMembers;
  return `<section class="locked"><p><strong>${why}</strong></p><p>${said.readInProgram}</p>${buttons}</section>`;
}

/** A post, for everybody: of one that is for others what everybody may see. */
export function postPage(reader: SiteReader, post: PostDetail, offers: Offers): Document {
  const { language } = reader;
  const said = siteLanguages[language];
  const sources = new SourceList();
  const by = post.author === undefined ? '' : said.by.replace('{name}', () => `<bdi>${htmlText(post.author!)}</bdi>`);
  const cover =
    post.cover && sources.note('images', post.cover)
      ? `<figure><img src="${htmlText(post.cover)}" alt="" referrerpolicy="no-referrer"></figure>\n`
      : '';
  const excerpt = post.excerpt ? `<p><bdi>${htmlText(post.excerpt)}</bdi></p>\n` : '';
  const text = post.locked
    ? lockedNote(post, reader, offers)
    : `<article class="text">${richTextHtml(post.body)}</article>`;
  const tags =
    post.tags.length === 0
      ? ''
      : `\n<ul class="tags">${post.tags.map((tag) => `<li><bdi>${htmlText(tag)}</bdi></li>`).join('')}</ul>`;
  return siteDocument(reader, {
    title: post.title,
    description: post.excerpt,
    image: post.cover,
    path: sitePaths.post(post.slug),
    isArticle: true,
    lead: excerpt + about([day(post.published_at, language), by]),
    body: cover + text + tags,
    sources,
  });
}

/** Posts that the list of them shows; feeds and the API have more. */
const mostListed = 50;

const listed = (post: PostEntry, language: string): string => `<li>
<h2><a href="${htmlText(sitePaths.post(post.slug))}"><bdi>${htmlText(post.title)}</bdi></a></h2>
${about([day(post.published_at, language)])}${post.excerpt ? `<p><bdi>${htmlText(post.excerpt)}</bdi></p>\n` : ''}</li>`;

/** The posts of the school: those that are pinned, then the newest. */
export function postListPage(reader: SiteReader): Document {
  const { summary, language } = reader;
  const said = siteLanguages[language];
  const posts = summary.posts.slice(0, mostListed);
  const list =
    posts.length === 0
      ? `<p>${said.noPosts}</p>`
      : `<ul class="posts">\n${posts.map((post) => listed(post, language)).join('\n')}\n</ul>`;
  return siteDocument(reader, {
    title: said.posts,
    path: sitePaths.posts,
    lead: `<p><a class="feed" href="${sitePaths.feed}">${said.feed}</a></p>\n`,
    body: list,
  });
}
