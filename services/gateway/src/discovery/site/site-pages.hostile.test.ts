import { describe, expect, test } from '@jest/globals';
import { hostileLinks, hostileMarkup } from '@lyceum/testkit';
import type { Document } from '../../http/document.ts';
import type { PostDetail } from './site-detail.ts';
import { postListPage, postPage, sitePage } from './site-pages.ts';
import type { SiteBlock, SiteSummary } from './site-summary.ts';
import {
  htmlOf,
  mainOf,
  offer,
  page,
  plan,
  policyOf,
  post,
  reader,
  shown,
  site,
  summary,
  written,
} from './testing/site-of-tests.ts';

/** Elements and attributes of a page, as a browser would find them: text is between them, and never holds a `<`. */
function tagsIn(html: string): readonly (readonly [string, readonly string[]])[] {
  return [...html.matchAll(/<([a-z0-9]+)((?: [a-z:-]+(?:="[^"]*")?)*)\s*>/g)].map(([, name = '', attributes = '']) => [
    name,
    [...attributes.matchAll(/ ([a-z:-]+)(?:="[^"]*")?/g)].map(([, key = '']) => key),
  ]);
}

const allowedTags = new Set(
  (
    'html head meta link title style body a header nav ul ol li div h1 h2 h3 h4 h5 h6 p main section article footer bdi br ' +
    'strong em s code pre blockquote figure figcaption img video iframe details summary time'
  ).split(' '),
);

/** Whatever was put into a page: only elements of ours are there, none has a handler, and no link runs anything. */
function expectHarmless(document: Document): void {
  const html = htmlOf(document)
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace('<!doctype html>', '');
  for (const [name, attributes] of tagsIn(html)) {
    expect(allowedTags.has(name)).toBe(true);
    for (const key of attributes) expect(key).not.toMatch(/^on|^style$|^srcdoc$/);
  }
  // What begins with `<` is a tag of ours, all of it.
  const rest = html.replaceAll(/<\/?[a-z0-9]+(?: [a-z:-]+(?:="[^"<>]*")?)*\s*>/g, '');
  expect(rest).not.toContain('<');
  for (const [, url = ''] of html.matchAll(/ (?:href|src)="([^"]*)"/g))
    expect(url).toMatch(/^(https:\/\/|http:\/\/|mailto:|data:,$|\/(?![/\\])|#)/);
  expect(policyOf(document)).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:( https?:\/\/[a-z0-9.:-]+)*; (media-src( https?:\/\/[a-z0-9.:-]+)+; )?(frame-src( https?:\/\/[a-z0-9.:-]+)+; )?base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
}

describe('nothing of what people write runs', () => {
  test.each(hostileMarkup)('in a page, as text: %j', (value) => {
    const text = [{ type: 'paragraph', text: [{ text: value, marks: [value, 'bold'], link: value }] }];
    const blocks: SiteBlock[] = [
      { kind: 'hero', heading: value, text: value, image: value, alt: value, button: { label: value, url: value } },
      { kind: 'text', text },
      {
        kind: 'text',
        text: [
          { type: value, text },
          { type: 'code', code: value, language: value },
        ],
      },
      { kind: 'image', image: `https://a.example/${value}`, alt: value, caption: value },
      { kind: 'video', url: value, title: value },
      { kind: 'video', url: 'https://youtu.be/dQw4w9WgXcQ', title: value },
      { kind: 'course_grid', title: value, courses: [value] },
      { kind: 'pricing', title: value, offers: 'all' },
      { kind: 'faq', title: value, items: [{ question: value, answer: text }] },
      { kind: 'html_safe', html: value },
      { kind: 'form', form_id: value, fields: [{ key: value, label: value, type: 'text' }] },
      { kind: value, text: value },
    ];
    const seo = { title: value, description: value, image: value, noindex: false };
    const named = { ...offer, name: value, summary: value };
    const own: SiteSummary = {
      ...summary,
      pages: [{ slug: 'terms', title: value, seo: { noindex: false }, updated_at: value }],
      posts: [{ ...post, title: value, excerpt: value, published_at: value, updated_at: value }],
      navigation: [{ label: value, href: value }],
      legal: { terms: value, privacy: value },
    };
    const hostileReader = { ...reader, site: { ...site, name: value }, summary: own };
    expectHarmless(sitePage(hostileReader, { title: value, slug: 'our-way', blocks, seo }, [named, plan]));
    expectHarmless(postListPage(hostileReader));
    const said: PostDetail = {
      ...written,
      title: value,
      excerpt: value,
      cover: value,
      author: value,
      tags: [value],
      body: text,
      published_at: value,
    };
    expectHarmless(postPage(hostileReader, said, [named]));
    const locked = { ...said, locked: true, visibility: value, unlock: ['plan_1', value] };
    expectHarmless(postPage(hostileReader, locked, [{ ...plan, name: value }]));
  });

  test.each(hostileLinks)('in a page, as a link: %j', (url) => {
    const document = shown([
      { kind: 'hero', heading: 'x', image: url, button: { label: 'x', url } },
      { kind: 'image', image: url, alt: '' },
      { kind: 'video', url, title: 'x' },
      { kind: 'text', text: [{ type: 'paragraph', text: [{ text: 'x', link: url }] }] },
      { kind: 'html_safe', html: `<a href="${url}">x</a>` },
    ]);
    expectHarmless(document);
    expectHarmless(sitePage({ ...reader, summary: { ...summary, navigation: [{ label: 'x', href: url }] } }, page, []));
  });

  test('in the policy of a page: no address ends a directive', () => {
    const image = (address: string): SiteBlock => ({ kind: 'image', image: address, alt: '' });
    const document = shown([
      image("https://a;script-src 'unsafe-inline'/x.png"),
      image('https://a,b/x.png'),
      image('https://user:pass@a.example/x.png'),
      image('https://*/x.png'),
      image('data:image/png;base64,AAAA'),
    ]);
    expect(policyOf(document)).toContain('img-src data:; base-uri');
    expect(mainOf(document)).not.toContain('<img');
  });
});
