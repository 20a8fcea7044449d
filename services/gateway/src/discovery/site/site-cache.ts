import type { UiLanguage } from '@lyceum/contracts';
import { BoundedMap } from '@lyceum/kernel';
import type { Document } from '../../http/document.ts';
import type { School } from '../../routing/school.ts';
import type { Offer } from '../content/offers.ts';
import type { Site } from '../metadata/oauth-metadata.ts';
import type { Absent } from '../pages/course-page-cache.ts';
import type { Found, PageDetail, PostDetail } from './site-detail.ts';
import { atomFeed, sitemap } from './site-feeds.ts';
import { postListPage, postPage, sitePage } from './site-pages.ts';
import { sitePaths, thingAt } from './site-paths.ts';
import type { SiteSummary } from './site-summary.ts';

/** Documents that are kept, of all schools, in each language that was asked for. */
const mostKept = 300;
/** Names that nothing in the lists has, looked up at a time for one school: it may be a former one. */
const mostUnknown = 4;

/** Where something is now. */
export interface Moved {
  readonly location: string;
}

/** How pages and posts of schools are read. Rejects when nobody can tell. */
export interface SiteReading {
  readonly page: (school: School, slug: string) => Promise<Found<PageDetail>>;
  readonly post: (school: School, slug: string) => Promise<Found<PostDetail>>;
}

/** What a document of the site is made from. */
interface Asked {
  readonly site: Site;
  readonly school: School;
  /** What the site has, as it was read last; undefined when nobody can tell. */
  readonly summary: SiteSummary | undefined;
  readonly offers: readonly Offer[] | undefined;
  readonly language: UiLanguage;
}

type Made = Document | Absent | Moved;

/**
 * The documents of the sites of schools. Each is made when it is first asked for after the site was read, so a page costs one
 * reading for each reading of the site, however many people look.
 */
export class SiteCache {
  readonly #reading: SiteReading;
  readonly #kept = new BoundedMap<string, { readonly of: SiteSummary; readonly made: Promise<Made> }>(mostKept);
  readonly #unknown = new Map<string, number>();

  constructor(reading: SiteReading) {
    this.#reading = reading;
  }

  /** The document at a path of the site, where it is now, or why there is none. Never rejects. */
  async at(path: string, asked: Asked): Promise<Made> {
    const { school, summary, language } = asked;
    if (!summary) return 'unavailable';
    const key = `${school.id} ${language} ${path}`;
    const known = this.#kept.get(key);
    if (known?.of === summary) return known.made;
    const made = this.#make(path, asked, summary).catch((): Absent => 'unavailable');
    this.#kept.set(key, { of: summary, made });
    if ((await made) === 'unavailable') this.#kept.delete(key);
    return made;
  }

  async #make(path: string, asked: Asked, summary: SiteSummary): Promise<Made> {
    const { site, school, offers, language } = asked;
    const reader = { site, school, summary, language };
    if (path === sitePaths.feed) return atomFeed(site, summary);
    if (path === sitePaths.sitemap) return sitemap(site, summary, offers ?? []);
    if (path === sitePaths.posts) return postListPage(reader);
    const { kind, slug } = thingAt(path);
    if (kind === 'p') {
      if (slug === 'home' && summary.pages.some((page) => page.slug === slug)) return { location: '/' };
      const isKnown = summary.pages.some((page) => page.slug === slug);
      const page = await this.#look(school, isKnown, () => this.#reading.page(school, slug));
      if (page && 'movedTo' in page) return { location: sitePaths.page(page.movedTo) };
      return page ? sitePage(reader, page, offers) : 'missing';
    }
    const isKnown = summary.posts.some((post) => post.slug === slug);
    const post = await this.#look(school, isKnown, () => this.#reading.post(school, slug));
    if (post && 'movedTo' in post) return { location: sitePaths.post(post.movedTo) };
    return post ? postPage(reader, post, offers) : 'missing';
  }

  /** Reads something; names that nobody knows cost a school no more than a few readings at a time. */
  async #look<Detail>(school: School, isKnown: boolean, read: () => Promise<Found<Detail>>): Promise<Found<Detail>> {
    if (isKnown) return read();
    const busy = this.#unknown.get(school.id) ?? 0;
    if (busy >= mostUnknown) throw new Error('too many names are looked up');
    this.#unknown.set(school.id, busy + 1);
    try {
      return await read();
    } finally {
      const left = (this.#unknown.get(school.id) ?? 1) - 1;
      if (left > 0) this.#unknown.set(school.id, left);
      else this.#unknown.delete(school.id);
    }
  }
}
