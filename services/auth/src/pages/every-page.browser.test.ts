import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isLongRun } from '@lyceum/testkit';
import axe from 'axe-core';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Page, browseGallery } from '../testing/pages/browsing.ts';
import { gallery } from '../testing/pages/gallery.ts';
import { layoutShifts, measureContrast, overflow, smallTargets } from '../testing/pages/page-scripts.ts';

const shots = process.env['SCREENSHOTS'];
const { browser, at, open, close } = await browseGallery();
const inBrowser = browser ? describe : describe.skip;
afterAll(close);

const [desk, phone] = [
  { width: 1280, height: 800 },
  { width: 320, height: 640 },
];
const sizes = [
  ['on a desk', desk],
  ['at a zoom of 200 %', { width: 640, height: 400 }],
  ['on a phone', { width: 360, height: 740 }],
  ['at 320 px', phone],
] as const;

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds wrong: rule and place. Its source is run in the page, whose policy this context passes over. */
async function violations(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.addScriptTag({ content: axe.source });
  return page.evaluate(`axe.run({ runOnly: ${JSON.stringify(rules)} }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`);
}

const picture = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: join(shots, `${name.replaceAll(/[^\w-]+/g, '')}.png`), fullPage: true });
};

test('the gallery shows every page there is', () => {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('-page.ts'));
  const source = readFileSync(join(import.meta.dirname, '../testing/pages/gallery.ts'), 'utf8');
  expect(files.filter((file) => !source.includes(`'../../pages/${file}'`))).toEqual([]);
});

inBrowser.each(Object.keys(gallery))('the page %s in Chromium', (path) => {
  let opened: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    opened = await open(path);
  });
  afterAll(() => opened.page.close());

  test('asks for nothing but itself, breaks no rule of its policy, and nothing moves while it loads', async () => {
    expect(await opened.page.evaluate(layoutShifts)).toBe(0);
    expect(opened.complaints).toEqual([]);
    expect(opened.requests.filter((url) => !url.startsWith('data:'))).toEqual([at(path)]);
  });

  test.each(['light', 'dark'] as const)('WCAG 2.2 §1.4.3: in %s every text reaches 4.5:1', async (colorScheme) => {
    await opened.page.emulateMedia({ colorScheme });
    const { seen, faint } = await opened.page.evaluate<{ seen: number; faint: string[] }>(measureContrast);
    expect(seen).toBeGreaterThan(4);
    expect(faint).toEqual([]);
  });

  test.each(sizes)(
    'WCAG 2.2 §1.4.10, §2.5.5: %s it fits the width, with targets of at least 44 px',
    async (_, size) => {
      await opened.page.setViewportSize(size);
      expect(await opened.page.evaluate(overflow)).toBeLessThanOrEqual(0);
      expect(await opened.page.evaluate(smallTargets)).toEqual([]);
    },
  );

  test('WCAG 2.2 §1.4.4: it still fits when the text alone is twice as large', async () => {
    await opened.page.setViewportSize({ width: 640, height: 400 });
    await opened.page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    expect(await opened.page.evaluate(overflow)).toBeLessThanOrEqual(0);
  });
});

test('axe is really asked: it finds a field without a name', async () => {
  if (!browser) return;
  const { page } = await open('/sign-in', { bypassCSP: true });
  await page.evaluate(`document.querySelector('label').remove()`);
  expect(await violations(page)).toEqual([expect.stringContaining('label: <input')]);
  await page.close();
});

type Scheme = 'light' | 'dark';
type Way = readonly [Scheme, typeof desk];
/** Every way of each look in a long run; otherwise the school's own at opposite corners, and the other one at one of them. */
const every: readonly Way[] = (['light', 'dark'] as const).flatMap((scheme) =>
  [desk, phone].map((size) => [scheme, size] as const),
);
const dim: Way = ['dark', phone];
const judged: readonly (readonly [string, readonly Way[]])[] = [
  ['', isLongRun ? every : [['light', desk], dim]],
  ['unreadable', isLongRun ? every : [dim]],
];

inBrowser.each(Object.keys(gallery))('the page %s as axe and other readers have it', (path) => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await open(path, { bypassCSP: true }));
  });
  afterAll(() => page.close());

  test.each(judged)(
    'WCAG 2.2 AA: axe finds nothing, in light and dark, on a desk and at 320 px (look: %s)',
    async (look, ways) => {
      await page.goto(at(`${path}?look=${look}`));
      await page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true })`);
      for (const [colorScheme, size] of ways) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(size);
        expect(await violations(page)).toEqual([]);
        await picture(page, `${path}-${look}-${colorScheme}-${size.width}`);
      }
    },
  );

  test.each(['de', 'pt', 'ko'])('WCAG 2.2 §3.1.1, §1.4.10: in %s it says so, and fits at 320 px', async (lang) => {
    await page.setViewportSize(phone);
    await page.goto(at(`${path}?lang=${lang}`));
    expect(await page.evaluate('document.documentElement.lang')).toBe(lang);
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
    expect(await page.evaluate(smallTargets)).toEqual([]);
    await picture(page, `${path}-${lang}`);
  });

  test('from right to left it fits, with nothing wrong', async () => {
    await page.setViewportSize(phone);
    await page.goto(at(path));
    await page.evaluate(`document.documentElement.dir = 'rtl'`);
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
    if (isLongRun) expect(await violations(page)).toEqual([]);
    await picture(page, `${path}-rtl`);
  });
});
