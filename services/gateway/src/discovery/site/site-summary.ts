import { z } from 'zod';
import type { ReadApi } from '../../upstream/school-api.ts';

const page = z.object({
  slug: z.string(),
  title: z.string(),
  seo: z.object({ noindex: z.boolean().default(false) }).prefault({}),
  updated_at: z.string(),
});

const post = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  excerpt: z.string().nullish(),
  cover: z.string().nullish(),
  visibility: z.string(),
  published_at: z.string().nullish(),
  updated_at: z.string(),
});

const navigationLink = z.object({ label: z.string(), href: z.string() });

const school = z.object({
  navigation: z.array(navigationLink).default([]),
  legal: z.object({ terms: z.string().nullish(), privacy: z.string().nullish() }).prefault({}),
});

const appearance = z.object({ custom_css: z.string().default('') });

const blocks = z.array(z.looseObject({ kind: z.string() }));

const list = z.object({ data: z.array(z.unknown()), next_cursor: z.string().nullish() });

/** A page of the site in a list. */
export type PageEntry = z.output<typeof page>;

/** A post in a list. */
export type PostEntry = z.output<typeof post>;

/** A block of a page, of whatever kind. */
export type SiteBlock = z.output<typeof blocks>[number];

/** What the site of a school has, as anybody may see it. */
export interface SiteSummary {
  readonly pages: readonly PageEntry[];
  /** Those that are pinned, then the newest. */
  readonly posts: readonly PostEntry[];
  readonly navigation: readonly z.output<typeof navigationLink>[];
  /** Legal texts that stand elsewhere. */
  readonly legal: z.output<typeof school>['legal'];
  /** The school's own style. */
  readonly css: string;
  /** What the home page says, while one is published. */
  readonly home: readonly SiteBlock[];
}

/** Lists of a hundred that are read of pages and of posts; whoever has more is read through the API. */
const mostLists = 10;

async function readAll<Row>(read: ReadApi, path: string, row: z.ZodType<Row>): Promise<readonly Row[]> {
  const found: Row[] = [];
  let after = {};
  for (let count = 0; count < mostLists; count += 1) {
    const { data, next_cursor } = list.parse(await read(path, { limit: '100', ...after }));
    found.push(...data.map((each) => row.parse(each)));
    if (!next_cursor) break;
    after = { cursor: next_cursor };
  }
  return found;
}

/** Reads what the site of a school has. Rejects when it cannot be read. */
export async function readSite(read: ReadApi): Promise<SiteSummary> {
  const [pages, posts, about, looks] = await Promise.all([
    readAll(read, '/api/pages', page),
    readAll(read, '/api/posts', post),
    read('/api/school', {}).then((body) => school.parse(body)),
    read('/api/appearance', {}).then((body) => appearance.parse(body)),
  ]);
  const hasHome = pages.some(({ slug }) => slug === 'home');
  const home = hasHome ? z.object({ blocks }).parse(await read('/api/pages/home', {})).blocks : [];
  return { pages, posts, navigation: about.navigation, legal: about.legal, css: looks.custom_css, home };
}
