import { z } from 'zod';
import type { Api, ApiReply } from '../../upstream/school-api.ts';
import type { ItemType, NamedItem } from './wanted.ts';

const money = z.object({ amount: z.int(), currency: z.string() });

const plan = z.object({
  kind: z.enum(['recurring', 'fixed_term', 'lifetime']),
  interval: z.enum(['month', 'year']).nullable(),
  interval_count: z.int().nullable(),
  trial_days: z.int(),
  price: money,
  /** The next payment; null = none follows. */
  renewal: money.nullable(),
  /** A payment for which no coupon counts any more, tax included. */
  full_renewal: money.nullish(),
});

/** The terms at which a membership plan is bought. */
export type BoughtPlan = z.output<typeof plan>;

const sold = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string().optional(),
  name: z.string().optional(),
  /** Of a membership plan. */
  kind: z.string().optional(),
});

/** Something that is sold, as everybody may see it. */
export interface SoldItem {
  readonly type: ItemType;
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  /** Whether it is paid again and again until somebody ends it. */
  readonly renews: boolean;
}

const listOf: Readonly<Record<ItemType, string>> = {
  course: '/api/courses',
  digital_product: '/api/digital_products',
  event: '/api/events',
  membership_plan: '/api/membership_plans',
};

/** The service gives no answer that the page could show. */
export class ShopUnavailable extends Error {
  override readonly name = 'ShopUnavailable';
}

/** Reads something by its id or slug; undefined when nobody may see it. A former slug is followed once. */
export async function readSold(api: Api, { type, name }: NamedItem): Promise<SoldItem | undefined> {
  const path = listOf[type];
  let reply = await api(`${path}/${name}`);
  const [, present] = /\/([\w-]{1,100})$/.exec(reply.header('location') ?? '') ?? [];
  if (reply.status === 308 && present !== undefined) reply = await api(`${path}/${present}`);
  if (reply.status === 404) return undefined;
  if (reply.status !== 200) throw new ShopUnavailable(`${path} answers ${reply.status}`);
  const { id, slug, title, name: called, kind } = sold.parse(reply.body);
  const renews = type === 'membership_plan' && kind === 'recurring';
  return { type, id, slug, title: title ?? called ?? slug, renews };
}

const line = z.object({
  item_type: z.string(),
  item_id: z.string(),
  title: z.string(),
  quantity: z.int(),
  unit_price: money,
  discount: money,
  total: money,
});
const sums = { subtotal: money, discount_total: money, tax_total: money, total: money };
const tax = z.object({ inclusive: z.boolean(), rate_bp: z.int() });
const quote = z.object({ lines: z.array(line), ...sums, tax, plan: plan.nullable().default(null) });

/** What things cost now. */
export type Quote = z.output<typeof quote>;

const refund = z.object({ state: z.string(), amount: money });
const order = z.object({
  number: z.int(),
  status: z.string(),
  lines: z.array(line.extend({ revoked: z.boolean().default(false), suspended: z.boolean().default(false) })),
  ...sums,
  coupon_code: z.string().nullish(),
  refunds: z.array(refund).default([]),
  placed_at: z.string(),
  paid_at: z.string().nullable(),
  fulfilled_at: z.string().nullable(),
  expires_at: z.string(),
  /** `checkout`, or what of a subscription it pays. */
  source: z.string().default('checkout'),
});

/** Documents of an order: an invoice for its payment, a credit note for each refund. */
const invoice = z.object({ kind: z.string(), label: z.string(), url: z.string() });

const checkout = z.object({
  id: z.string(),
  order,
  invoices: z.array(invoice).default([]),
  payment: z
    .object({
      id: z.string(),
      provider: z.string(),
      state: z.string(),
      url: z.string().nullable(),
      reference: z.string().nullable(),
      instructions: z.string().nullish(),
    })
    .nullable(),
  order_secret: z.string().nullable(),
});

/** An order and how it is paid, as its buyer reads it. */
export type Checkout = z.output<typeof checkout>;

/** Why the service refuses. */
export interface Refused {
  readonly status: number;
  /** Of the error table. */
  readonly code: string;
  readonly details: readonly { readonly path: string; readonly code: string }[];
  /** Seconds; 0 when it did not say. */
  readonly wait: number;
}

const refusal = z.object({
  error: z.string().default('temporarily_unavailable'),
  details: z.array(z.object({ path: z.string(), code: z.string() })).default([]),
});

function refusedBy({ status, body, header }: ApiReply): { readonly refused: Refused } {
  const { error: code, details } = refusal.parse(body);
  return { refused: { status, code, details, wait: Number(header('retry-after') ?? 0) || 0 } };
}

/** What is asked to be bought or reckoned. */
export interface Bought {
  readonly items: readonly { readonly item_type: ItemType; readonly item_id: string }[];
  readonly coupon_code?: string;
}

/** Asks what things cost for who asks. */
export async function readQuote(
  api: Api,
  json: Bought,
): Promise<{ readonly quote: Quote } | { readonly refused: Refused }> {
  const reply = await api('/api/checkout/quotes', { method: 'POST', json });
  return reply.status === 200 ? { quote: quote.parse(reply.body) } : refusedBy(reply);
}

/** What became of an order, or why nothing did. */
type Placed = { readonly placed: Checkout } | { readonly refused: Refused };

const placed = (reply: ApiReply): Placed =>
  reply.status === 200 || reply.status === 201 ? { placed: checkout.parse(reply.body) } : refusedBy(reply);

/** Times that a request is repeated while the same one runs, and milliseconds between them. */
const [repeats, pause] = [8, 1_000];

/** A form that is sent: each once for its key. `secrets`: of orders that were placed in the same browser before. */
interface SentForm {
  readonly key: string;
  readonly secrets: readonly string[];
}

/** Places an order, once for each key: while the same form is being worked on, its answer is waited for. */
export async function placeOrder(api: Api, json: object, { key, secrets }: SentForm): Promise<Placed> {
  const own = secretHeaders(secrets.length > 0 ? secrets.join(', ') : undefined);
  for (let times = 0; ; times += 1) {
    const headers = { 'idempotency-key': key, ...own };
    const outcome = placed(await api('/api/checkout', { method: 'POST', json, headers }));
    const isRunning = 'refused' in outcome && outcome.refused.code === 'idempotency_in_progress';
    if (!isRunning || times === repeats) return outcome;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

const secretHeaders = (secret: string | undefined) => (secret === undefined ? {} : { 'order-secret': secret });

/** Reads an order for its buyer, by the token or the order's secret; undefined for everybody else. */
export async function readOrder(api: Api, id: string, secret: string | undefined): Promise<Checkout | undefined> {
  const reply = await api(`/api/checkout/${id}`, { headers: secretHeaders(secret) });
  if (reply.status === 404) return undefined;
  if (reply.status !== 200) throw new ShopUnavailable(`an order answers ${reply.status}`);
  return checkout.parse(reply.body);
}

/** Begins another payment in place of one that failed. */
export const payAgain = async (api: Api, id: string, secret: string | undefined): Promise<Placed> =>
  placed(await api(`/api/checkout/${id}/payments`, { method: 'POST', headers: secretHeaders(secret) }));

const school = z.object({
  timezone: z.string().default('UTC'),
  contact_email: z.string().nullish(),
  legal: z
    .object({ terms: z.string().nullish(), privacy: z.string().nullish(), imprint: z.string().nullish() })
    .prefault({}),
});

/** Who sells: what the law wants to be said of it. */
export type Seller = z.output<typeof school>;

/** Reads who sells. What cannot be read is left out: it keeps nobody from buying. */
export async function readSeller(api: Api): Promise<Seller> {
  const { status, body } = await api('/api/school');
  const read = status === 200 ? school.safeParse(body) : undefined;
  return read?.success ? read.data : school.parse({});
}
