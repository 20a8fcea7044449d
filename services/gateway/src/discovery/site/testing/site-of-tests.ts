import type { Document } from '../../../http/document.ts';
import type { Offer } from '../../content/offers.ts';
import type { PageDetail, PostDetail } from '../site-detail.ts';
import { sitePage } from '../site-pages.ts';
import type { SiteBlock, SiteSummary } from '../site-summary.ts';

/** The site that documents of tests are of. */
export const site = {
  name: 'School & <Sons>',
  baseUrl: 'https://school.example',
  docsUrl: 'https://docs.example',
  limitFactor: 1,
  hasMcp: false,
};
/** A post in a list. */
export const post = {
  id: 'post_0195a3c2-7d10-7abc-8def-0123456789ab',
  slug: 'lanterns',
  title: 'Lanterns',
  excerpt: 'Of paper',
  visibility: 'public',
  published_at: '2026-01-05T08:00:00.000Z',
  updated_at: '2026-01-06T08:00:00.000Z',
};
/** What the site has. */
export const summary: SiteSummary = {
  pages: [
    { slug: 'our-way', title: 'Our way', seo: { noindex: false }, updated_at: post.updated_at },
    { slug: 'terms', title: 'Our terms', seo: { noindex: false }, updated_at: post.updated_at },
    { slug: 'hidden', title: 'Hidden', seo: { noindex: true }, updated_at: post.updated_at },
  ],
  posts: [post],
  navigation: [],
  legal: { privacy: 'https://legal.example/privacy' },
  css: '',
  home: [],
};
/** Who reads it. */
export const reader = { site, school: { look: undefined }, summary, language: 'en' } as const;
/** A course that is offered. */
export const offer: Offer = {
  id: 'course_1',
  kind: 'course',
  name: 'Paper',
  slug: 'paper',
  summary: null,
  access: 'paid',
  prices: [{ amount: 4900, currency: 'USD' }],
  seats: undefined,
  days: null,
  lessons: 2,
  updated_at: post.updated_at,
  path: '/api/courses/course_1',
};
/** A plan that is offered. */
export const plan: Offer = {
  ...offer,
  id: 'plan_1',
  kind: 'membership_plan',
  name: 'All of it',
  slug: 'all',
  access: undefined,
};
/** Both. */
export const offers = [offer, plan];

/** A page without blocks. */
export const page: PageDetail = { title: 'Our way', slug: 'our-way', blocks: [], seo: { noindex: false } };
/** A post with its text. */
export const written: PostDetail = {
  ...post,
  tags: ['paper'],
  locked: false,
  unlock: [],
  body: [{ type: 'paragraph', text: [{ text: 'Cut and fold' }] }],
  author: 'Ana Duarte',
};

/** A page with these blocks. */
export const shown = (blocks: readonly SiteBlock[], more: Partial<PageDetail> = {}) =>
  sitePage(reader, { ...page, blocks: [...blocks], ...more }, offers);
/** The HTML of a document. */
export const htmlOf = (document: Document) => document.body.toString();
/** The policy that a document is sent with. */
export const policyOf = ({ bodyHeaders }: Document) => String(bodyHeaders['Content-Security-Policy']);
/** Its main part. */
export const mainOf = (document: Document) => /<main[^>]*>([\s\S]*)<\/main>/.exec(htmlOf(document))![1]!;
