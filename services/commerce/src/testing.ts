import { type ServiceUnderTest, type UnderTestOptions, serviceUnderTest } from '@lyceum/testkit-service';
import { commerce } from './module.ts';

/** The service under test. */
export type Commerce = ServiceUnderTest;

const price = { price_id: 'price_1', amount: 4_900, currency: 'USD', effective_at: '2026-01-01T00:00:00.000Z' };
const shownPrice = { id: 'price_1', amount: 4_900, currency: 'USD' };

/** What the catalog service has published of school_1: a course and a product that are sold, and a draft with a price. */
const catalogFacts = [
  { type: 'PriceSet', data: { item_type: 'course', item_id: 'course_paid', ...price } },
  {
    type: 'CourseShown',
    data: {
      course_id: 'course_paid',
      slug: 'foundations',
      title: 'Paper lanterns',
      summary: null,
      access: 'paid',
      listed: true,
      prices: [shownPrice],
      seat_limit: 3,
      lecturer_ids: [],
      access_days: null,
    },
  },
  { type: 'PriceSet', data: { item_type: 'course', item_id: 'course_draft', ...price } },
  { type: 'PriceSet', data: { item_type: 'digital_product', item_id: 'product_paid', ...price } },
  {
    type: 'DigitalProductShown',
    data: {
      product_id: 'product_paid',
      slug: 'templates',
      title: 'Templates',
      summary: null,
      access: 'paid',
      prices: [shownPrice],
      files: 1,
    },
  },
];

/** Starts the service with a school that sells something. */
export const startCommerce = (options: UnderTestOptions<Record<never, never>> = {}): Promise<Commerce> =>
  serviceUnderTest(commerce, { published: { catalog: catalogFacts }, ...options });
