import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FakeIds } from '@lyceum/testkit';
import { readOffers } from '../../../discovery/content/offers.ts';
import { pricingMd } from '../../../discovery/metadata/pricing-md.ts';
import { publicReader } from '../../../upstream/school-api.ts';
import { schoolFrom } from '../../../routing/school.ts';
import { offersOf, offerListOf } from './offer-rows.ts';
import { catalog, commerceWith, contentWith, courses, events, plans, products } from '../../testing/catalog.ts';
import { type McpTestServer, type Said, openMcpTestServer } from '../../testing/mcp-test-server.ts';

const commerce = commerceWith(plans);
const content = contentWith([], events);
const services: Readonly<Record<string, typeof catalog>> = { catalog, commerce, content };

/** What the price list says of each offer, out of its tables. */
const sectionsOf = (markdown: string) =>
  markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const cells = [...section.matchAll(/^\| (\w[^|]*?) +\| (.*?) +\|$/gm)].map(([, name, value]) => [name, value]);
      const of = (wanted: string) => cells.filter(([name]) => name === wanted).map(([, value]) => value!);
      return {
        id: of('Id')[0]!.replaceAll('`', ''),
        kind: of('Kind')[0]!.toLowerCase().replace(' ', '_'),
        prices: of('Amount in minor units').map((text) => text.replaceAll('`', '').split(',')[0]),
        cost: of('Price')[0],
        includes: of('Includes')[0],
        availability: of('Availability')[0],
        url: of('URL')[0]!.replaceAll(/[<>]/g, ''),
        updated_at: of('Updated')[0],
      };
    });

describe('what the school offers', () => {
  let edge: McpTestServer;
  beforeAll(async () => {
    edge = await openMcpTestServer({ catalog, commerce, content });
  });
  afterAll(() => edge.close());

  async function listed(args: object = {}): Promise<Said[]> {
    const items: Said[] = [];
    let cursor: string | undefined;
    do {
      const given = { name: 'list_offers', arguments: { ...args, ...(cursor ? { cursor } : {}) } };
      const { structuredContent } = (await edge.modern('tools/call', given)).body['result'];
      items.push(...structuredContent.items);
      cursor = structuredContent.next_cursor ?? undefined;
    } while (cursor);
    return items;
  }

  test('list_offers says what /pricing.md says, offer by offer', async () => {
    const { issuer: baseUrl } = edge.school;
    const known = schoolFrom({ id: edge.school.id, name: 'A school', host: '127.0.0.1', base_url: baseUrl })!;
    const read = publicReader(
      (service) => ({ ask: async (request) => (services[service] ?? catalog)(request) }),
      new FakeIds(),
    )(known);
    const site = { baseUrl, name: known.name, docsUrl: '', limitFactor: 1, hasMcp: true };
    const sections = sectionsOf(pricingMd(site, await readOffers(read)));
    expect(sections).toHaveLength(courses.length + plans.length + products.length + events.length);
    const offers = (await listed()).map(
      ({ subject_id, kind, price, cost, includes, availability, url, updated_at }) => ({
        id: subject_id,
        kind,
        prices: price === null ? [] : [`${price.amount} ${price.currency}`],
        cost,
        includes,
        availability,
        url,
        updated_at,
      }),
    );
    expect(offers).toEqual(sections);
  });

  test('one kind or one currency is asked for alone', async () => {
    const found = await listed({ kind: 'digital_product' });
    expect(found.map(({ id, price }) => [id, price])).toEqual([
      ['price_2', { amount: 900, currency: 'JPY' }],
      ['digital_product_1', null],
    ]);
    const yen = await listed({ currency: 'JPY' });
    expect(yen.filter(({ price }) => price !== null)).toEqual([found[0]]);
    expect(await listed({ kind: 'bundle' })).toEqual([]);
  });

  test('a plan says how it is paid, what it opens, and whether one can have it', async () => {
    const found = await listed({ kind: 'membership_plan' });
    expect(found.map(({ cost, includes, availability }) => [cost, includes, availability])).toEqual([
      ['$15.00 every 3 months', 'all courses, 2 digital products, posts for members, 10 % off events', 'available'],
      ['$15.00 for a year', '1 course, 2 digital products, posts for members, 10 % off events', 'available'],
      ['$15.00 once', '1 course, 2 digital products, posts for members, 10 % off events', 'no seats left'],
    ]);
    expect(found[0]).toMatchObject({ id: 'plan_0', subject_id: 'plan_0', price: { amount: 1_500, currency: 'USD' } });
  });

  test('an event is offered with what it costs and where it is bought, as long as somebody can come', async () => {
    const found = await listed({ kind: 'event' });
    expect(found.map(({ id, price, cost, availability }) => [id, price, cost, availability])).toEqual([
      ['event_0', { amount: 1_500, currency: 'USD' }, '$15.00', 'few seats left'],
      ['event_1', null, 'Free, also without an account', 'no seats left'],
    ]);
    expect(found.map(({ checkout_url }) => checkout_url)).toEqual([
      expect.stringContaining('/checkout?item=event:evening-0'),
      null,
    ]);
  });

  test('what only staff see is no offer', () => {
    const known = schoolFrom({ id: 's', name: 'A school', host: '127.0.0.1', base_url: 'http://127.0.0.1' })!;
    const of = (status: string) => offersOf({ ...courses[0], status }, offerListOf('course')!, known).length;
    expect([of('draft'), of('published'), of('archived')]).toEqual([0, 1, 0]);
    const ofPlan = (more: object) => offersOf({ ...plans[0], ...more }, offerListOf('membership_plan')!, known).length;
    expect([ofPlan({ status: 'retired' }), ofPlan({ status: 'active' })]).toEqual([0, 1]);
    expect([ofPlan({ status: 'active', visible: false }), ofPlan({ status: 'active', visible: true })]).toEqual([0, 1]);
  });
});
