import { describe, expect, test } from '@jest/globals';
import { uiLocales } from '@lyceum/contracts';
import { createHash } from 'node:crypto';
import type { PostDetail } from './site-detail.ts';
import { postPage, sitePage } from './site-pages.ts';
import type { SiteBlock } from './site-summary.ts';
import { htmlOf, mainOf, offers, page, policyOf, reader, shown, summary, written } from './testing/site-of-tests.ts';

describe('a page of the site', () => {
  test('has the school’s navigation, its look, and nothing that runs', () => {
    const html = htmlOf(shown([]));
    for (const said of [
      '<h1><bdi>Our way</bdi></h1>',
      '<a href="/p/our-way">',
      '<a href="/posts">',
      '<a href="/p/terms"><bdi>Our terms</bdi></a>',
      '<a href="https://legal.example/privacy">',
      '<link rel="canonical" href="https://school.example/p/our-way">',
    ])
      expect(html).toContain(said);
    expect(html).not.toContain('/p/hidden');
    expect(html).not.toMatch(/<script/);
    const [, css = ''] = /<style>([\s\S]*)<\/style>/.exec(html)!;
    const hash = createHash('sha256').update(css).digest('base64');
    expect(policyOf(shown([]))).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
  });

  test('shows each kind of block, and loads what they name and nothing else', () => {
    const document = shown([
      {
        kind: 'hero',
        heading: 'Light',
        text: 'One\nTwo',
        image: 'https://school.example/media/public/upload_1',
        alt: 'A lantern',
        button: { label: 'Begin', url: '/courses/paper' },
      },
      { kind: 'text', text: [{ type: 'heading', level: 2, text: [{ text: 'Tools' }] }] },
      { kind: 'image', image: 'https://images.example:8443/a.png', alt: 'Folds', caption: 'Four folds' },
      { kind: 'video', url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', title: 'A film' },
      { kind: 'video', url: 'https://vimeo.com/123456789', title: 'Another' },
      { kind: 'video', url: 'https://files.example/a.mp4', title: 'A file' },
      { kind: 'video', url: 'https://elsewhere.example/watch', title: 'A link' },
      { kind: 'course_grid', title: 'Courses', courses: ['course_1', 'course_gone'] },
      { kind: 'pricing', offers: 'all' },
      { kind: 'faq', items: [{ question: 'Why?', answer: [{ type: 'paragraph', text: [{ text: 'So.' }] }] }] },
      { kind: 'html_safe', html: '<p>Own <a href="https://a.example/">words</a></p>' },
      { kind: 'later', text: 'of a later release' },
    ]);
    const html = mainOf(document);
    for (const said of [
      'One<br>Two',
      '<a class="button primary" href="/courses/paper"><bdi>Begin</bdi></a>',
      'alt="A lantern"',
      '<figcaption><bdi>Four folds</bdi></figcaption>',
      'src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"',
      'src="https://player.vimeo.com/video/123456789?dnt=1"',
      '<video controls preload="metadata" src="https://files.example/a.mp4"',
      '<a href="https://elsewhere.example/watch" rel="noopener noreferrer nofollow">',
      '<bdi>Paper</bdi>',
      '<bdi>All of it</bdi>',
      '<summary><bdi>Why?</bdi></summary>',
      '<a rel="noopener noreferrer nofollow" href="https://a.example/">words</a>',
    ])
      expect(html).toContain(said);
    expect(html).not.toContain('later release');
    expect(policyOf(document)).toContain(
      "img-src data: https://school.example https://images.example:8443; media-src https://files.example; frame-src https://www.youtube-nocookie.com https://player.vimeo.com; base-uri 'none'",
    );
  });

  test('has ids once, also where one offer is on it twice', () => {
    const grid: SiteBlock = { kind: 'course_grid', courses: 'all' };
    const ids = [...htmlOf(shown([grid, grid])).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('asks search engines to leave it out when it says so', () => {
    const seo = { title: 'For engines', description: 'About', image: 'https://school.example/a.png', noindex: true };
    const html = htmlOf(shown([], { seo }));
    expect(html).toContain('<meta name="robots" content="noindex">');
    expect(html).toContain('<meta property="og:image" content="https://school.example/a.png">');
    expect(html).toContain('<title>For engines · School &amp; &lt;Sons&gt;</title>');
    expect(htmlOf(shown([]))).not.toContain('robots');
  });

  test('has the school’s own style behind ours, unless it would end its element', () => {
    const styled = (css: string) => sitePage({ ...reader, summary: { ...summary, css } }, page, offers);
    expect(htmlOf(styled('.hero{color:red}'))).toContain('.hero{color:red}</style>');
    expect(htmlOf(styled('</style><script>x</script>'))).not.toContain('<script>');
  });
});

describe('a form in a page', () => {
  const block = {
    kind: 'form',
    form_id: 'form_0195a3c2-7d10-7abc-8def-0123456789ab',
    fields: [{ key: 'email', label: 'Your <address>', type: 'email', required: true }],
    consent: null,
  };

  test('is sent to the school without scripts; a page without one sends none', () => {
    const html = mainOf(shown([block]));
    expect(html).toContain(`<form method="post" action="/forms/${block.form_id}"`);
    expect(html).toContain('<label for="block-0-email"><bdi>Your &lt;address&gt;</bdi>');
    expect(policyOf(shown([block]))).toContain("form-action 'self'");
    expect(policyOf(shown([]))).toContain("form-action 'none'");
  });

  test('of which nobody can tell where it is sent is left out', () => {
    for (const form_id of [undefined, 'https://evil.test', '../oauth/token', 'form_1"'])
      expect(mainOf(shown([{ ...block, form_id }]))).not.toContain('<form');
  });
});

describe('a post', () => {
  test('has its text, its day and its author', () => {
    const html = htmlOf(postPage(reader, written, offers));
    for (const said of [
      '<h1><bdi>Lanterns</bdi></h1>',
      'Cut and fold',
      'By <bdi>Ana Duarte</bdi>',
      '<time datetime="2026-01-05T08:00:00.000Z">January 5, 2026</time>',
      '<meta property="og:type" content="article">',
    ])
      expect(html).toContain(said);
  });

  test('that is for others shows what everybody may see, and where its plans are bought', () => {
    const { body: _text, ...rest } = written;
    const locked: PostDetail = { ...rest, body: [], locked: true, visibility: 'plans', unlock: ['plan_1'] };
    const html = mainOf(postPage(reader, locked, offers));
    expect(html).toContain('membership plan');
    expect(html).toContain('href="/checkout?item=membership_plan:all"');
    const members = mainOf(postPage(reader, { ...locked, visibility: 'members', unlock: [] }, offers));
    expect(members).toContain('for members of the school');
  });

  test.each(uiLocales)('is shown in %s', (language) => {
    const html = htmlOf(postPage({ ...reader, language }, { ...written, locked: true, visibility: 'members' }, offers));
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).not.toMatch(/\{\w+\}|undefined/);
  });
});
