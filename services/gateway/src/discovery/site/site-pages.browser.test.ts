import { afterAll, describe, expect, test } from '@jest/globals';
import { hostileMarkup, launchBrowser } from '@lyceum/testkit';
import { type TestEdge, openTestEdge } from '../../testing/test-edge.ts';
import type { PageDetail, PostDetail } from './site-detail.ts';
import type { SiteBlock, SiteSummary } from './site-summary.ts';

const browser = await launchBrowser();
const inBrowser = browser ? describe : describe.skip;

/** What people may write wherever they may write something. */
const hostile = [...hostileMarkup, 'javascript:window.ran=1', 'data:text/html,<script>window.ran=1</script>'];
const [script, image, , endings] = hostileMarkup;
const [javascript, data] = hostile.slice(-2);

const at = '2026-01-05T08:00:00.000Z';

function blocksOf(value: string): SiteBlock[] {
  const text = [{ type: 'paragraph', text: [{ text: value, marks: ['bold'], link: value }] }];
  return [
    { kind: 'hero', heading: value, text: value, image: value, alt: value, button: { label: value, url: value } },
    { kind: 'text', text },
    { kind: 'image', image: value, alt: value, caption: value },
    { kind: 'video', url: value, title: value },
    { kind: 'faq', title: value, items: [{ question: value, answer: text }] },
    { kind: 'course_grid', title: value, courses: [value] },
    { kind: 'html_safe', html: value },
    {
      kind: 'form',
      form_id: 'form_00000000-0000-7000-8000-000000000000',
      consent: value,
      fields: ['text', 'email', 'choice', 'checkbox'].map((type) => ({
        key: type,
        label: value,
        type,
        options: [value],
      })),
    },
  ];
}

const page: PageDetail = {
  title: hostile.join(' '),
  slug: 'hostile',
  blocks: hostile.flatMap(blocksOf),
  seo: { title: endings, description: image, image: javascript, noindex: false },
};

const post: PostDetail = {
  title: hostile.join(' '),
  slug: 'hostile',
  excerpt: hostile.join(' '),
  cover: javascript,
  author: image!,
  tags: hostile,
  visibility: script!,
  locked: false,
  unlock: hostile,
  body: hostile.map((value) => ({ type: 'paragraph', text: [{ text: value, link: value }] })),
  published_at: at,
};

const entry = { slug: 'hostile', title: hostile.join(' '), updated_at: at };
const summary: SiteSummary = {
  pages: [
    { ...entry, seo: { noindex: false } },
    { ...entry, slug: 'terms', seo: { noindex: false } },
  ],
  posts: [
    {
      ...entry,
      id: 'post_00000000-0000-7000-8000-000000000000',
      excerpt: hostile.join(' '),
      visibility: 'public',
      published_at: at,
    },
  ],
  navigation: hostile.map((value) => ({ label: value, href: value })),
  legal: { privacy: javascript, terms: data },
  css: '.hero{color:teal}',
  home: hostile.flatMap(blocksOf),
};

const edge: TestEdge = await openTestEdge(
  {},
  { summary, siteReading: { page: async () => page, post: async () => post } },
);
afterAll(async () => {
  await browser?.close();
  await edge.close();
});

inBrowser('the site of a school, with whatever people write, in Chromium with its policy', () => {
  test.each(['/p/hostile', '/posts/hostile', '/posts', '/'])('%s runs nothing and asks nobody else', async (path) => {
    const shown = await browser!.newPage({ viewport: { width: 360, height: 700 } });
    const url = `http://127.0.0.1:${edge.port}${path}`;
    const requests: string[] = [];
    const refused: string[] = [];
    let dialogs = 0;
    shown.on('request', (request) => void requests.push(request.url()));
    shown.on('console', (message) => void refused.push(message.text()));
    shown.on('dialog', (dialog) => ((dialogs += 1), void dialog.dismiss()));
    await shown.goto(url);
    // What would run by a click or by focus has its chance, too.
    await shown.evaluate("document.querySelectorAll('summary').forEach((each) => each.click())");
    await shown.evaluate("document.querySelectorAll('[tabindex],a,summary').forEach((each) => each.focus())");
    expect(await shown.evaluate('window.ran')).toBeUndefined();
    expect([dialogs, shown.url()]).toEqual([0, url]);
    expect(requests.filter((each) => !each.startsWith('data:'))).toEqual([url]);
    // Nothing was even tried that the policy had to refuse.
    expect(refused).toEqual([]);
    expect(
      await shown.evaluate(
        'document.querySelectorAll(\'script,form:not([action^="/forms/form_0"]),input:not(.form input),base,object,embed,iframe,meta[http-equiv],link[rel=stylesheet]\').length',
      ),
    ).toBe(0);
    expect(await shown.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await shown.close();
  });
});
