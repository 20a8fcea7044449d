import { z } from 'zod';
import type { Json } from '../../../upstream/school-api.ts';
import { listIn, successBody } from '../api-result.ts';
import { reading, tool } from '../tool.ts';

const kinds = ['course', 'digital_product', 'event', 'membership_plan'] as const;

const item = z.strictObject({
  kind: z.enum(kinds),
  id: z.string().min(1).max(64).meta({ description: '`subject_id` of list_offers' }),
});

const money = z.object({ amount: z.int() });
const amount = z.int().min(0);

/** A line and the sums of a quote as the commerce service says them. */
const quotedLine = z.object({
  item_type: z.string(),
  item_id: z.string(),
  title: z.string(),
  unit_price: money,
  discount: money,
  tax: money,
  total: money,
});
const quoted = z.object({
  subtotal: money,
  discount_total: money,
  tax_total: money,
  total: money,
  currency: z.string(),
});

/** What a membership costs after this payment, as the commerce service says it; other quotes have none. */
const quotedPlan = z.object({
  kind: z.string(),
  interval: z.string().nullable(),
  interval_count: z.int().nullable(),
  trial_days: z.int(),
  renewal: money.nullable(),
  full_renewal: money.nullable(),
});

/** What stands in the line of a membership, which is bought by itself; null = no payment follows. */
function renewalOf({ plan }: Json) {
  const quote = quotedPlan.nullish().parse(plan);
  if (!quote) return {};
  const { kind: plan_kind, renewal, full_renewal, ...terms } = quote;
  return { plan_kind, ...terms, renewal: renewal?.amount ?? null, full_renewal: full_renewal?.amount ?? null };
}

function lineOf(row: Json) {
  const { item_type: kind, item_id: id, title, unit_price, discount, tax, total } = quotedLine.parse(row);
  const amounts = { unit_price: unit_price.amount, discount: discount.amount, tax: tax.amount, total: total.amount };
  return { kind, id, title, ...amounts };
}

function sumsOf(body: Json) {
  const { subtotal, discount_total, tax_total, total, currency } = quoted.parse(body);
  return {
    subtotal: subtotal.amount,
    discount_total: discount_total.amount,
    tax_total: tax_total.amount,
    total: total.amount,
    currency,
  };
}

/** The page on which a person buys what was quoted. */
function checkoutUrl(baseUrl: string, items: readonly z.output<typeof item>[], coupon: string | undefined): string {
  const query = new URLSearchParams(items.map(({ kind, id }): [string, string] => ['item', `${kind}:${id}`]));
  if (coupon !== undefined) query.set('coupon', coupon);
  return `${baseUrl}/checkout?${query}`;
}

/** What things would cost the caller now. It sells nothing: a person buys, on a page of the school. */
export const getQuote = tool({
  name: 'get_quote',
  title: 'Get a quote',
  description:
    'What offers cost now in minor units, with tax, coupon and `renewal`. It sells nothing: a person buys at checkout_url. 60 a minute, with a coupon 10.',
  input: z.strictObject({
    items: z.array(item).min(1).max(20),
    coupon_code: z.string().min(1).max(100).optional(),
  }),
  output: z.strictObject({
    lines: z.array(z.looseObject({})),
    subtotal: amount,
    discount_total: amount,
    tax_total: amount,
    total: amount,
    currency: z.string(),
    checkout_url: z.string(),
  }),
  scopes: ['account:read'],
  annotations: reading,
  async run({ items, coupon_code }, { api, caller: { school } }) {
    const json = { items: items.map(({ kind, id }) => ({ item_type: kind, item_id: id })), coupon_code };
    const reply = await api('/api/checkout/quotes', { method: 'POST', json });
    const body = successBody(reply, 'The quote', 'list_offers says what is sold.');
    const renewal = renewalOf(body);
    const lines = listIn(body, 'lines').map((row) => ({ ...lineOf(row), ...renewal }));
    return {
      data: { lines, ...sumsOf(body), checkout_url: checkoutUrl(school.baseUrl, items, coupon_code) },
    };
  },
});
