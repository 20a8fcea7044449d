import { describe, expect, test } from '@jest/globals';
import { duration, markdownText } from '../text/markdown.ts';
import { money } from '../text/money.ts';
import { readOffers } from '../content/offers.ts';
import type { ReadApi } from '../../upstream/school-api.ts';
import { plans } from '../../mcp/testing/catalog.ts';
import { pricingMd } from './pricing-md.ts';

const site = { baseUrl: 'https://a.example', name: 'A', docsUrl: 'https://d.example', limitFactor: 1, hasMcp: false };
const course = (id: string, more: object = {}) => ({
  id,
  title: `Course ${id}`,
  slug: id,
  prices: [{ id: 'p', amount: 4900, currency: 'USD' }],
  access: 'paid',
  updated_at: '2026-01-05T08:00:00.000Z',
  ...more,
});
const reading =
  (pages: readonly object[]): ReadApi =>
  (path, { cursor = '0' }) => {
    if (path !== '/api/courses') return Promise.resolve({ data: [], next_cursor: null });
    const next_cursor = Number(cursor) + 1 < pages.length ? String(Number(cursor) + 1) : null;
    return Promise.resolve({ data: [pages[Number(cursor)]], next_cursor });
  };

describe('the price list', () => {
  test.each([
    [{ amount: 4900, currency: 'USD' }, '$49.00'],
    [{ amount: 4900, currency: 'JPY' }, '¥4,900'],
    [{ amount: 5, currency: 'EUR' }, '€0.05'],
    [{ amount: 490_000, currency: 'HUF' }, 'HUF\u00a04,900.00'],
    [{ amount: 5, currency: 'nonsense' }, '5 nonsense'],
  ])('%j is written as %s', (price, written) => {
    expect(money(price)).toBe(written);
  });

  test('it has the offers of every page of the lists', async () => {
    const text = pricingMd(site, await readOffers(reading([course('course_1'), course('course_2')])));
    expect(text).toContain('> 2 offers.');
    for (const id of ['course_1', 'course_2']) expect(text).toContain(`<https://a.example/api/courses/${id}>`);
    expect(text).toContain('`4900` `USD`, once');
  });

  test('the name and the summary of a course are text and one line, whatever stands in them', async () => {
    const title = 'A [link](https://evil.example)\n# Head <b> | `x`';
    const text = pricingMd(site, await readOffers(reading([course('course_1', { title, summary: title })])));
    expect(text).not.toMatch(/(?<!\\)\[link/);
    expect(text).not.toContain('\n# Head');
    expect(markdownText('<b>|`')).toBe('\\<b\\>\\|\\`');
  });

  test('what is free is said to be free, though it had a price once', async () => {
    const text = pricingMd(site, await readOffers(reading([course('course_1', { access: 'free', prices: [] })])));
    expect(text).toContain('| Price | Free with an account |');
  });

  test('a membership plan says how often it is paid, its trial and what it opens', async () => {
    const read: ReadApi = (path) =>
      Promise.resolve({ data: path === '/api/membership_plans' ? plans : [], next_cursor: null });
    const text = pricingMd(site, await readOffers(read));
    expect(text).toContain('> 3 offers.');
    for (const line of [
      '| Kind | Membership plan |',
      '| Amount in minor units | `1500` `USD`, every 3 months |',
      '| Amount in minor units | `1500` `USD`, once, for a year |',
      '| Amount in minor units | `1500` `USD`, once |',
      '| Price | $15.00 every 3 months |',
      '| Trial | 14 days |',
      '| Includes | all courses, 2 digital products, posts for members, 10 % off events |',
      '| Availability | no seats left |',
      '| URL | <https://a.example/api/membership_plans/plan_0> |',
      '| Buy | <https://a.example/checkout?item=membership_plan:',
    ])
      expect(text).toContain(line);
  });

  test('offers that nobody can tell are not said to be none', () => {
    expect(pricingMd(site, undefined)).toContain('cannot be read at the moment');
    expect(pricingMd(site, { offers: [], unread: [] })).toContain('Nothing is offered');
  });

  test('a list that cannot be read does not hide the others', async () => {
    const courses = reading([course('course_1')]);
    const away: ReadApi = (path, query) =>
      path === '/api/membership_plans' ? Promise.reject(new Error('commerce is away')) : courses(path, query);
    const read = await readOffers(away);
    expect(read).toMatchObject({ offers: [{ id: 'course_1' }], unread: ['membership_plan'] });
    expect(pricingMd(site, read)).toContain('> 1 offers, without the membership plans, which cannot be read');
    await expect(readOffers(() => Promise.reject(new Error('all are away')))).rejects.toThrow('all are away');
  });

  test('a list that is not one is an error', async () => {
    await expect(readOffers(() => Promise.resolve({ service: 'catalog' }))).rejects.toThrow();
  });

  test.each([
    [60, '1 minute'],
    [600, '10 minutes'],
    [86_400, '1 day'],
    [14 * 86_400, '14 days'],
    [90, '90 seconds'],
  ])('%d seconds are said as %s', (seconds, said) => {
    expect(duration(seconds)).toBe(said);
  });
});
