import { afterAll, describe, expect, test } from '@jest/globals';
import { launchBrowser } from '@lyceum/testkit';
import axe from 'axe-core';
import { type TestEdge, openTestEdge } from '../../testing/test-edge.ts';
import type { PageDetail, PostDetail } from './site-detail.ts';
import type { SiteSummary } from './site-summary.ts';

const browser = await launchBrowser();
const inBrowser = browser ? describe : describe.skip;

const at = '2026-01-05T08:00:00.000Z';
const text = (...words: string[]) => words.map((word) => ({ type: 'paragraph', text: [{ text: word }] }));

const page: PageDetail = {
  title: 'How we teach',
  slug: 'how-we-teach',
  blocks: [
    { kind: 'hero', heading: 'Slowly', text: 'And together.', button: { label: 'Begin', url: '/posts' } },
    { kind: 'text', text: [{ type: 'heading', level: 2, text: [{ text: 'Tools' }] }, ...text('Paper and a knife.')] },
    { kind: 'course_grid', title: 'Courses', courses: 'all' },
    { kind: 'faq', title: 'Questions', items: [{ question: 'Do I need a desk?', answer: text('A table will do.') }] },
    { kind: 'html_safe', html: '<h3>Hours</h3><table><tr><th scope="row">Monday</th><td>9 to 5</td></tr></table>' },
    { kind: 'video', url: 'https://elsewhere.example/film', title: 'A film about us' },
    {
      kind: 'form',
      form_id: 'form_00000000-0000-7000-8000-000000000000',
      consent: 'I want letters.',
      fields: [
        { key: 'name', label: 'Your name', type: 'text', max: 100 },
        { key: 'email', label: 'Your address', type: 'email', required: true },
        { key: 'topic', label: 'Topic', type: 'choice', options: ['Courses', 'Else'] },
        { key: 'news', label: 'Call me', type: 'checkbox' },
        { key: 'message', label: 'Message', type: 'text' },
      ],
    },
  ],
  seo: { noindex: false },
};
const post: PostDetail = {
  title: 'A lantern for each evening',
  slug: 'lantern',
  excerpt: 'Four folds, one candle.',
  author: 'Ana Duarte',
  tags: ['paper', 'light'],
  visibility: 'public',
  locked: false,
  unlock: [],
  body: text('Cut, fold and light.'),
  published_at: at,
};
const locked: PostDetail = { ...post, slug: 'locked', visibility: 'plans', locked: true, body: [], unlock: ['plan_1'] };
const entry = { id: 'post_00000000-0000-7000-8000-000000000000', updated_at: at, published_at: at };
const summary: SiteSummary = {
  pages: ['how-we-teach', 'terms', 'privacy'].map((slug) => ({
    slug,
    title: slug,
    seo: { noindex: false },
    updated_at: at,
  })),
  posts: [post, locked].map(({ slug, title, excerpt, visibility }) => ({ ...entry, slug, title, excerpt, visibility })),
  navigation: [],
  legal: {},
  css: '',
  home: page.blocks,
};
const offer = {
  id: 'plan_1',
  kind: 'membership_plan',
  name: 'All of it',
  slug: 'all',
  summary: null,
  access: undefined,
  prices: [{ amount: 900, currency: 'USD' }],
  seats: undefined,
  days: null,
  lessons: 0,
  updated_at: at,
  path: '/api/membership_plans/plan_1',
} as const;
const course = { ...offer, id: 'course_1', kind: 'course', name: 'Paper', slug: 'paper', access: 'paid' } as const;

const edge: TestEdge = await openTestEdge(
  {},
  {
    summary,
    offers: [course, offer],
    siteReading: { page: async () => page, post: async (_school, slug) => (slug === 'locked' ? locked : post) },
  },
);
afterAll(async () => {
  await browser?.close();
  await edge.close();
});

const rules = JSON.stringify(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);

inBrowser('the site of a school', () => {
  test.each(['/p/how-we-teach', '/posts', '/posts/lantern', '/posts/locked', '/'])(
    'WCAG 2.2 AA: axe finds nothing in %s, light and dark, wide and narrow',
    async (path) => {
      const shown = await browser!.newPage({ bypassCSP: true });
      await shown.goto(`http://127.0.0.1:${edge.port}${path}`);
      await shown.addScriptTag({ content: axe.source });
      for (const colorScheme of ['light', 'dark'] as const)
        for (const width of [360, 1_280]) {
          await shown.emulateMedia({ colorScheme });
          await shown.setViewportSize({ width, height: 800 });
          const found = await shown.evaluate(`axe.run({ runOnly: ${rules} }).then(({ violations }) =>
            violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`);
          expect([path, colorScheme, width, found]).toEqual([path, colorScheme, width, []]);
        }
      await shown.close();
    },
  );
});
