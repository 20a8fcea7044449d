import { z } from 'zod';
import type { Json } from '../../../upstream/school-api.ts';
import { listIn, successBody } from '../api-result.ts';
import { reading, tool } from '../tool.ts';
import { money } from './result-fields.ts';

const kinds = ['course', 'digital_product', 'membership_plan'] as const;

const item = z.strictObject({
  kind: z.enum(kinds),
  id: z.string().min(1).max(64).meta({ description: '`subject_id` of list_offers' }),
});

const line = z.strictObject({
  kind: z.string(),
  id: z.string(),
  title: z.string(),
  unit_price: money,
  discount: money,
  tax: money,
  total: money,
});

const quote = z.object({ subtotal: money, discount_total: money, tax_total: money, total: money });

const lineOf = ({ item_type: kind, item_id: id, ...row }: Json): z.output<typeof line> =>
  z.object(line.shape).parse({ ...row, kind, id });

/** The page on which a person buys what was quoted. */
function checkoutUrl(baseUrl: string, items: readonly z.output<typeof item>[], coupon: string | undefined): string {
  const query = new URLSearchParams(items.map(({ kind, id }) => ['item', `${kind}:${id}`]));
  if (coupon !== undefined) query.set('coupon', coupon);
  return `${baseUrl}/checkout?${query}`;
}

/** What things would cost the caller now. It sells nothing: a person buys, on a page of the school. */
export const getQuote = tool({
  name: 'get_quote',
  title: 'Get a quote',
  description:
    'What offers would cost now, tax and a coupon included; nothing is held or bought. The person buys at checkout_url, after seeing the price there: no tool takes money. At most 10 in a minute.',
  input: z.strictObject({
    items: z.array(item).min(1).max(20),
    coupon_code: z.string().min(1).max(100).optional(),
  }),
  output: z.strictObject({ lines: z.array(line), ...quote.shape, checkout_url: z.string() }),
  scopes: ['account:read'],
  annotations: reading,
  async run({ items, coupon_code }, { api, caller: { school } }) {
    const json = { items: items.map(({ kind, id }) => ({ item_type: kind, item_id: id })), coupon_code };
    const reply = await api('/api/checkout/quotes', { method: 'POST', json });
    const body = successBody(reply, 'The quote', 'list_offers says what is sold.');
    const lines = listIn(body, 'lines').map(lineOf);
    return {
      data: { lines, ...quote.parse(body), checkout_url: checkoutUrl(school.baseUrl, items, coupon_code) },
    };
  },
});
