import type { Look } from '@lyceum/contracts';
import type { OperationRequest, OperationResponse } from '@lyceum/web';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { schoolFrom } from '../../routing/school.ts';
import { openCheckout } from '../checkout-endpoint.ts';

const usd = (amount: number) => ({ amount, currency: 'USD' });

/** Text that would be markup, a slot or the end of an attribute, if anything let it. */
export const hostile = `"><script>alert(1)</script><!-- {school} $& ' onload="x`;

interface Item {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly amount: number;
  readonly plan?: object;
}

/** A quote of a plan with a coupon for the first payment, in a school that adds tax. */
export const taxedQuote = {
  lines: [
    {
      item_type: 'membership_plan',
      item_id: 'plan_1',
      title: 'Friends',
      quantity: 1,
      unit_price: usd(900),
      discount: usd(450),
      total: usd(554),
    },
  ],
  subtotal: usd(900),
  discount_total: usd(450),
  tax_total: usd(104),
  total: usd(554),
  tax: { inclusive: false, rate_bp: 2_300 },
  plan: {
    kind: 'recurring',
    interval: 'month',
    interval_count: 1,
    trial_days: 0,
    price: usd(900),
    renewal: usd(554),
    full_renewal: usd(1_107),
  },
};

const monthly = { kind: 'recurring', interval: 'month', interval_count: 1, trial_days: 0, price: usd(900) };

/** What the school of these tests sells. */
const sold: Readonly<Record<string, Item>> = {
  '/api/courses/course_1': { id: 'course_1', slug: 'lamps', title: 'The lamps', amount: 4_900 },
  '/api/courses/course_2': { id: 'course_2', slug: 'gift', title: 'A gift', amount: 0 },
  '/api/courses/course_3': { id: 'course_3', slug: 'hostile', title: hostile, amount: 100 },
  '/api/digital_products/product_1': { id: 'product_1', slug: 'files', title: 'Templates', amount: 700 },
  '/api/membership_plans/plan_1': {
    id: 'plan_1',
    slug: 'friends',
    title: 'Friends',
    amount: 900,
    plan: { ...monthly, renewal: usd(900) },
  },
  '/api/membership_plans/plan_2': {
    id: 'plan_2',
    slug: 'trial',
    title: 'With a trial',
    amount: 0,
    plan: { ...monthly, trial_days: 14, renewal: usd(900) },
  },
};

/** An order of the shop of these tests. */
export interface OrderOfTests {
  readonly id: string;
  readonly secret: string;
  readonly member: string | undefined;
  readonly body: string;
  order: Record<string, unknown>;
  payment: Record<string, unknown> | null;
  invoices?: readonly object[];
}

/** A refusal as services give it. */
export const refusing = (status: number, error: string, details: readonly object[] = [], headers = {}) => ({
  status,
  body: { error, details },
  headers,
});

const not_found = refusing(404, 'not_found');
const secretOf = (at: number): string => `secret${at}`.padEnd(43, '_');

/** The services behind the page, as far as it uses them: what they got, and what they are to say instead. */
class ShopOfTests {
  readonly seen: OperationRequest[] = [];
  readonly orders: OrderOfTests[] = [];
  readonly asked: { readonly service: string; readonly [about: string]: unknown }[] = [];
  /** Answers in the place of the shop, once each, by path. */
  readonly next = new Map<string, OperationResponse[]>();
  /** Who is signed in, by the value of the session cookie. */
  readonly sessions = new Map<string, string>();
  provider = 'test';
  url: string | null = null;
  /** Whether later payments have to be agreed to at the provider. */
  agreements = false;
  seller: object = { timezone: 'Europe/Lisbon', legal: {} };

  /** What the services answer to the gateway's own questions. */
  readonly ask = async (service: string, question: { readonly kind: string }): Promise<unknown> => {
    this.asked.push({ service, ...question });
    if (service === 'auth') {
      const name = this.sessions.get(String(Object.entries(question).find(([key]) => key === 'session')?.[1]));
      if (name === 'away') throw new Error('the authorization server is away');
      return name === undefined
        ? { signed_in: false }
        : { signed_in: true, subject: `account_${name}`, name, access_token: `token-of-${name}` };
    }
    return { done: true };
  };

  readonly answer = async (request: OperationRequest): Promise<OperationResponse> => {
    this.seen.push(request);
    const { method, path } = request;
    const instead = this.next.get(path)?.shift();
    if (instead) return instead;
    if (path === '/api/school') return { status: 200, body: this.seller, headers: {} };
    if (path === '/api/checkout/quotes') return this.#quote(request);
    if (path === '/api/checkout') return this.#place(request);
    if (path.startsWith('/api/checkout/')) return this.#order(request);
    return method === 'GET' ? this.#read(path) : not_found;
  };

  #read(path: string): OperationResponse {
    const list = path.slice(0, path.lastIndexOf('/'));
    const name = path.slice(list.length + 1);
    const found = Object.entries(sold).find(
      ([key, { id, slug }]) => key.startsWith(`${list}/`) && (id === name || slug === name),
    )?.[1];
    if (name === 'former') return { status: 308, body: {}, headers: { location: `${list}/lamps` } };
    return found ? { status: 200, body: { ...found, ...found.plan, name: found.title }, headers: {} } : not_found;
  }

  #sums({ json }: OperationRequest) {
    const { items, coupon_code } = json as { items: { item_id: string; item_type: string }[]; coupon_code?: string };
    const off = coupon_code === 'TEN' ? 0.1 : 0;
    const lines = items.map(({ item_id, item_type }, index) => {
      const { title, amount } = Object.values(sold).find(({ id }) => id === item_id)!;
      const money = {
        unit_price: usd(amount),
        discount: usd(amount * off),
        tax: usd(0),
        total: usd(amount * (1 - off)),
      };
      return { id: `line_${index}`, item_type, item_id, title, quantity: 1, ...money };
    });
    const subtotal = lines.reduce((sum, line) => sum + line.unit_price.amount, 0);
    const sums = { subtotal: usd(subtotal), discount_total: usd(subtotal * off), tax_total: usd(0) };
    return { lines, ...sums, total: usd(subtotal * (1 - off)), coupon_code: coupon_code ?? null };
  }

  #quote(request: OperationRequest): OperationResponse {
    const { coupon_code, items } = request.json as { coupon_code?: string; items: { item_id: string }[] };
    if (coupon_code !== undefined && coupon_code !== 'TEN') return refusing(409, 'coupon_invalid');
    const plan = Object.values(sold).find(({ id }) => id === items[0]?.item_id)?.plan ?? null;
    const tax = { inclusive: true, rate_bp: 0 };
    return { status: 200, body: { object: 'quote', ...this.#sums(request), tax, plan }, headers: {} };
  }

  #place(request: OperationRequest): OperationResponse {
    const key = request.headers['idempotency-key'] ?? '';
    const body = JSON.stringify(request.json);
    const member = request.headers['authorization']?.replace('Bearer token-of-', '');
    const at = this.orders.findIndex(({ id }) => id === orderIdOf(key));
    if (at >= 0 && this.orders[at]!.body !== body) return refusing(422, 'idempotency_key_reused');
    if (at < 0) {
      const sums = this.#sums(request);
      // What costs nothing is paid at once, but for a trial that waits for an agreement.
      const isFree = sums.total.amount === 0 && !this.agreements;
      const payment = { id: 'payment_1', provider: this.provider, state: 'open', url: this.url, reference: 'REF-1' };
      const { length } = this.orders;
      const order = {
        ...sums,
        number: length + 1,
        status: isFree ? 'paid' : 'pending',
        placed_at: '2026-01-05T08:00:00.000Z',
        paid_at: isFree ? '2026-01-05T08:00:00.000Z' : null,
        fulfilled_at: null,
        expires_at: '2026-01-05T08:30:00.000Z',
        refunds: [],
      };
      this.orders.push({
        id: orderIdOf(key),
        secret: secretOf(length),
        member,
        body,
        order,
        payment: isFree ? null : payment,
      });
    }
    const placed = this.orders.find(({ id }) => id === orderIdOf(key))!;
    return { status: 201, body: shown(placed, member === undefined ? placed.secret : null), headers: {} };
  }

  #order({ path, headers, method }: OperationRequest): OperationResponse {
    const [, , , id, more] = path.split('/');
    const found = this.orders.find((each) => each.id === id);
    const isOwn = found?.member !== undefined && headers['authorization'] === `Bearer token-of-${found.member}`;
    if (!found || !(isOwn || headers['order-secret'] === found.secret)) return not_found;
    if (method === 'POST' && more === 'payments') {
      if (found.order['status'] !== 'failed') return refusing(409, 'invalid_state');
      found.order = { ...found.order, status: 'pending' };
      found.payment = { ...found.payment, state: 'open' };
      return { status: 201, body: shown(found, null), headers: {} };
    }
    return { status: 200, body: shown(found, null), headers: {} };
  }
}

const shown = ({ id, order, payment, invoices = [] }: OrderOfTests, order_secret: string | null) => ({
  object: 'checkout',
  id,
  order,
  payment,
  invoices,
  order_secret,
});

/** The id of the order that a form with this key places. */
const orderIdOf = (key: string): string =>
  `order_0195a3c2-7d10-7abc-8def-${Buffer.from(key).toString('hex').slice(0, 12).padEnd(12, '0')}`;

/** The hosted checkout on a free port, as if the edge stood in front of it. */
export async function openTestCheckout({ look, closure }: { look?: Look; closure?: 'closed' | 'suspended' } = {}) {
  const shop = new ShopOfTests();
  const logged: string[] = [];
  const secrets: string[] = [];
  const line = (...said: readonly unknown[]): void => void logged.push(JSON.stringify(said));
  const server = createServer((request, response) => {
    request.headers['x-school-id'] ??= 'school_1';
    request.headers['x-client-address'] = '192.0.2.7';
    void checkout.forward(request, response, ['referrer-policy', 'no-referrer']);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const facts = { name: 'School & <Sons>', host: '127.0.0.1', base_url, look, closure };
  const schools = new Map(['school_1', 'school_2'].map((id) => [id, schoolFrom({ id, ...facts })!]));
  const checkout = openCheckout({
    school: (id) => schools.get(id),
    ask: shop.ask,
    clientOf: () => ({ ask: shop.answer }),
    ids: {
      secret() {
        secrets.push(`m${String(secrets.length).padStart(5, '0')}`.padEnd(43, '-'));
        return secrets.at(-1)!;
      },
    },
    clock: { now: () => Date.parse('2026-01-31T12:00:00.000Z') },
    secret: 'secret-of-this-test',
    logger: { info: line, error: line },
  });
  return {
    shop,
    logged,
    baseUrl: base_url,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
