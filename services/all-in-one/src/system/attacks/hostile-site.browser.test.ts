import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  type System,
  call,
  hostileLines,
  hostileLinks,
  hostileMarkup,
  launchBrowser,
  noBrowser,
  startSystem,
} from '@lyceum/testkit';
import { HostileSite } from '../../testing/attacks/hostile-site.ts';
import { WatchedPage } from '../../testing/attacks/watched-page.ts';

const chromium = await launchBrowser();
const threes = (all: readonly string[]): readonly (readonly string[])[] =>
  all.flatMap((_, at) => (at % 3 === 0 ? [all.slice(at, at + 3)] : []));
/** Texts, links and lines apart: a line break is refused where a text has one line. */
const groups = [hostileMarkup, hostileLinks, hostileLines].flatMap(threes);
jest.setTimeout(300_000);

/** Whatever people write into a school of its own, through the real API: what Chromium, and programs, make of it. */
(chromium ? describe : describe.skip)(`hostile texts in a school${chromium ? '' : `: ${noBrowser}`}`, () => {
  let system: System;
  let site: HostileSite;
  let watched: WatchedPage;
  const written: { page: string; form: string; post: string; event: string; course: string }[] = [];

  beforeAll(async () => {
    system = await startSystem();
    site = await HostileSite.open(system);
    watched = await WatchedPage.open(chromium!, system.baseUrl);
    for (const values of groups) {
      const { slug: page, form } = await site.page(values);
      const { slug: event } = await site.event(values);
      const { slug: course } = await site.course(values);
      written.push({ page, form, post: await site.postOf(values), event, course });
      await site.plan(values);
    }
    const last = written.at(-1)!;
    await site.shown('/posts', last.post);
    await site.shown('/', last.course);
  });
  afterAll(async () => {
    await chromium?.close();
    await system?.stop();
  });

  test.each(hostileMarkup.filter((each) => /<(?:script|img|svg|iframe|a|style|link|base|form)\b/.test(each)))(
    'as markup, %s is noticed: this suite can fail',
    async (value) => {
      const other = await WatchedPage.open(chromium!, system.baseUrl);
      await other.page.goto(`${system.baseUrl}/posts`);
      await other.page.setContent(value);
      expect(await other.faults()).not.toEqual([]);
      await other.page.close();
    },
  );

  test('most of them are taken: there is something to look at', () => {
    expect(written).toHaveLength(groups.length);
    expect(site.taken).toBeGreaterThan(groups.length * 15);
    expect(written.filter(({ form }) => form !== '').length).toBeGreaterThanOrEqual(threes(hostileMarkup).length);
  });

  test('run nothing, ask nobody else and keep no link that runs, on every page of the site', async () => {
    const faults: string[] = [];
    for (const { page, form, post, event, course } of written) {
      const own = [`/p/${page}`, `/posts/${post}`, `/events/${event}`, `/courses/${course}`, `/register/${event}`];
      const sent = form === '' ? [] : [`/forms/${form}`, `/forms/${form}/sent`];
      for (const path of [...own, `/register/${event}/confirmed`, `/checkout?item=course:${course}`, ...sent])
        faults.push(...(await watched.faultsAt(path)));
    }
    for (const path of ['/', '/posts', '/docs/nothing']) faults.push(...(await watched.faultsAt(path)));
    expect(faults).toEqual([]);
  });

  test('run nothing where a form shows again what was typed', async () => {
    const { page } = watched;
    const { form } = written.find((each) => each.form !== '')!;
    const evening_ = written[0]!.event;
    for (const value of [...threes(hostileMarkup), ...threes(hostileLines)].map((each) => each.join(' ')))
      for (const path of [`/forms/${form}`, `/register/${evening_}`]) {
        await page.goto(system.baseUrl + path);
        const typed = JSON.stringify(value);
        await page.evaluate(`(() => {
          const form = document.querySelector('form');
          form.noValidate = true;
          for (const each of form.querySelectorAll('.form input:not([type=checkbox]):not([name=website]),textarea')) each.value = ${typed};
          form.submit();
        })()`);
        await page.waitForURL(system.baseUrl + path);
        await page.locator('[role=alert]').waitFor();
        expect(await watched.faults()).toEqual([]);
      }
  });

  test('run nothing in the name of the school and what it is reached by', async () => {
    const faults: string[] = [];
    for (const [at, values] of groups.entries()) {
      const mark = `school${at}x`;
      const all = values.join(' ');
      const navigation = values.map((href) => ({ label: href.slice(0, 60), href }));
      const social_links = values.map((url) => ({ label: url.slice(0, 60), url }));
      const hostile = { name: `${mark} ${all}`.slice(0, 200), tagline: all.slice(0, 200), social_links, navigation };
      await site.write('/school', { ...hostile, legal: { terms: values[0] } }, { name: mark }, 'PATCH');
      await site.shown('/', mark);
      const { page, event } = written[at]!;
      for (const path of ['/', `/p/${page}`, `/events/${event}`, '/p/nothing-here'])
        faults.push(...(await watched.faultsAt(path)));
    }
    expect(faults).toEqual([]);
    await site.post('/school', { name: hostileMarkup[0] }, 'PATCH');
  });

  test('are text of the feed and of the site map, and both are XML', async () => {
    await watched.page.goto(system.baseUrl);
    for (const [path, names] of [
      ['/posts.atom', 'feed id title link author name updated entry published summary'],
      ['/sitemap.xml', 'urlset url loc lastmod'],
    ] as const) {
      const text = await (await fetch(system.baseUrl + path)).text();
      const found = (await watched.page.evaluate(`(() => {
        const all = [...new DOMParser().parseFromString(${JSON.stringify(text)}, 'application/xml').querySelectorAll('*')];
        return { names: [...new Set(all.map(({ localName }) => localName))], links: all.map((each) => each.getAttribute('href') ?? '') };
      })()`)) as { names: readonly string[]; links: readonly string[] };
      expect(found.names.filter((name) => !names.split(' ').includes(name))).toEqual([]);
      expect(found.links.filter((link) => link !== '' && !link.startsWith(`${system.baseUrl}/`))).toEqual([]);
      expect(text).not.toMatch(/<!DOCTYPE|<!ENTITY/);
    }
  });

  test('are text of the calendar: no property and no event more', async () => {
    const file = await (await fetch(`${system.baseUrl}/events/calendar.ics`)).text();
    const lines = file
      .replaceAll(/\r\n[ \t]/g, '')
      .split('\r\n')
      .filter((line) => line !== '');
    const names = new Set(lines.map((line) => /^[A-Z-]+(?=[:;])/.exec(line)?.[0] ?? line));
    const known =
      'BEGIN END VERSION PRODID METHOD NAME X-WR-CALNAME REFRESH-INTERVAL X-PUBLISHED-TTL URL UID SEQUENCE DTSTAMP DTSTART DTEND SUMMARY LOCATION DESCRIPTION STATUS LAST-MODIFIED';
    expect([...names].filter((name) => !known.split(' ').includes(name))).toEqual([]);
    const listed = (await call(`${system.baseUrl}/api/events?limit=100`)).body.data.length;
    expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(listed);
    expect(listed).toBeGreaterThanOrEqual(groups.length);
  });

  test('are text of the index for agents and of the prices', async () => {
    for (const path of ['/llms.txt', '/pricing.md']) {
      const text = await (await fetch(system.baseUrl + path)).text();
      // What begins a link, an element or a heading there is escaped.
      expect(text).not.toMatch(/(?<!\\)\]\((?:java|data:|\/\/)/i);
      expect(text.replaceAll(/<https?:[^<>\s]*>/g, '')).not.toMatch(/(?<!\\)<[a-z!/]/i);
    }
  });
});
