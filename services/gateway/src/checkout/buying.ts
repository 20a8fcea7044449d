import type { Ids } from '@lyceum/kernel';
import { type Refused, type SoldItem, placeOrder, readQuote, readSeller, readSold } from './asking/shop.ts';
import { keepSecret, secretsOf } from './asking/order-cookies.ts';
import type { FormTags } from './asking/visitor.ts';
import { type Wanted, wantedIn } from './asking/wanted.ts';
import { type CheckoutAnswer, type CheckoutExchange, formOf, queryOf } from './checkout-exchange.ts';
import { type BuyingModel, type Problem, buyingPage } from './pages/buying-page.ts';
import { obstaclePage } from './pages/obstacle-page.ts';
import { providerAddress } from './pages/order-onward.ts';
import { type Complaint, type Obstacle, obstacles } from './texts/checkout-texts.ts';

/** What the pages that sell work with. */
export interface BuyingPorts {
  readonly ids: Pick<Ids, 'secret'>;
  readonly tags: FormTags;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The form of the page, as its tag names it. */
const form = 'checkout';
const keyForm = /^[\w-]{43}$/;

/** What of a form that was sent is shown again. */
type Sent = Partial<Pick<BuyingModel, 'typed' | 'problems' | 'key'>> & {
  readonly status?: number;
  readonly wait?: number;
};

/** Shows what is to be bought and what it costs now. */
export const showCheckout = (ports: BuyingPorts, exchange: CheckoutExchange): Promise<CheckoutAnswer> =>
  show(ports, exchange, wantedIn(queryOf(exchange.request)));

async function show(
  ports: BuyingPorts,
  exchange: CheckoutExchange,
  wanted: Wanted,
  sent: Sent = {},
): Promise<CheckoutAnswer> {
  const { school, language, open, own, visitor } = exchange;
  const { cookies, member } = visitor;
  const [seller, named] = await Promise.all([
    readSeller(open),
    Promise.all(wanted.items.map((item) => readSold(open, item))),
  ]);
  const items = named.filter((item): item is SoldItem => item !== undefined);
  const frame = { school, seller, language };
  const stop = (obstacle: Obstacle, status: number, title?: string, wait = 0): CheckoutAnswer => ({
    status,
    page: obstaclePage({ ...frame, obstacle, wanted, title }),
    cookies,
    wait,
  });
  if (wanted.items.length === 0 || items.length < named.length) return stop('nothing', 404);
  const asked = itemsOf(items);
  const problems = [...(sent.problems ?? [])];
  // A code that was refused to the form is not tried again: what is shown is what it costs without.
  const coupon = problems.some(({ field }) => field === 'coupon') ? undefined : wanted.coupon;
  let quoted = await readQuote(own, { items: asked, ...(coupon === undefined ? {} : { coupon_code: coupon }) });
  if ('refused' in quoted && coupon !== undefined && isAboutCoupon(quoted.refused)) {
    problems.push({ complaint: 'coupon_invalid', field: 'coupon' });
    quoted = await readQuote(own, { items: asked });
  }
  if ('refused' in quoted) {
    const { refused } = quoted;
    return stop(...obstacleOf(refused), itemOf(refused, items)?.title, refused.wait);
  }
  const page = buyingPage({
    ...frame,
    wanted,
    items,
    quote: quoted.quote,
    member: member?.name,
    typed: sent.typed ?? { email: '', name: '' },
    problems,
    csrf: ports.tags.of(school.id, form, visitor),
    key: sent.key ?? ports.ids.secret(),
    now: ports.now(),
  });
  return { status: sent.status ?? (problems.length > 0 ? 400 : 200), page, cookies, wait: sent.wait ?? 0 };
}

const itemsOf = (items: readonly SoldItem[]) => items.map(({ type, id }) => ({ item_type: type, item_id: id }));

const isAboutCoupon = ({ code, details }: Refused): boolean =>
  code === 'coupon_invalid' || details.some(({ path }) => path === 'coupon_code');

/** The item that a refusal names. */
function itemOf({ details }: Refused, items: readonly SoldItem[]): SoldItem | undefined {
  const [, index] = details.map(({ path }) => /^items\.(\d+)\b/.exec(path)).find((found) => found !== null) ?? [];
  return index === undefined ? undefined : items[Number(index)];
}

/** Why nothing is sold, and the status of the page that says so. */
function obstacleOf({ code, status, details }: Refused): [Obstacle, number] {
  if (status === 429) return ['rate_limited', 429];
  if (status >= 500) return ['unavailable', 503];
  const said = [code, ...details.map((each) => each.code)];
  const named = obstacles.find((each) => said.includes(each) && each !== 'unavailable');
  return [named ?? 'not_for_sale', 409];
}

/** What a form has of its fields. */
const typedIn = (sent: URLSearchParams) => ({
  email: (sent.get('email') ?? '').trim().slice(0, 320),
  name: (sent.get('name') ?? '').trim().slice(0, 300),
});

/** Buys what a form says, once for each form, and leads to the payment or to the order. */
export async function buy(ports: BuyingPorts, exchange: CheckoutExchange): Promise<CheckoutAnswer> {
  const { request, school, visitor } = exchange;
  const sent = await formOf(request);
  const wanted = wantedIn(sent ?? new URLSearchParams());
  const [csrf, key] = [sent?.get('csrf') ?? '', sent?.get('key') ?? ''];
  if (!sent || !ports.tags.isOf(csrf, school.id, form, visitor) || !keyForm.test(key))
    // What somebody else's page filled in is not taken over.
    return show(ports, exchange, wanted, { status: 403, problems: [{ complaint: 'form_expired' }] });
  const typed = typedIn(sent);
  if (!visitor.member && typed.email === '')
    return show(ports, exchange, wanted, { typed, key, problems: [{ complaint: 'email_missing', field: 'email' }] });
  return place(ports, exchange, { wanted, typed, key, expected: sent.get('expected') ?? '' });
}

interface Placing {
  readonly wanted: Wanted;
  readonly typed: BuyingModel['typed'];
  readonly key: string;
  readonly expected: string;
}

async function place(
  ports: BuyingPorts,
  exchange: CheckoutExchange,
  { wanted, typed, key, expected }: Placing,
): Promise<CheckoutAnswer> {
  const { request, school, open, own, visitor } = exchange;
  const named = await Promise.all(wanted.items.map((item) => readSold(open, item)));
  const items = named.filter((item): item is SoldItem => item !== undefined);
  const shown = /^(\d{1,15}) ([A-Z]{3})$/.exec(expected);
  if (items.length < named.length || items.length === 0 || !shown) return show(ports, exchange, wanted, { typed, key });
  const { email, name } = typed;
  const json = {
    items: itemsOf(items),
    ...(wanted.coupon === undefined ? {} : { coupon_code: wanted.coupon }),
    expected_total: { amount: Number(shown[1]), currency: shown[2] },
    language: exchange.language,
    ...(visitor.member ? {} : { email, ...(name === '' ? {} : { name }) }),
  };
  const secrets = visitor.member ? [] : secretsOf(request, school);
  const outcome = await placeOrder(own, json, { key, secrets });
  if ('refused' in outcome) return show(ports, exchange, wanted, { typed, ...sentAgain(outcome.refused, key) });
  const { id, payment, order_secret } = outcome.placed;
  const url = payment?.state === 'open' ? providerAddress(payment.url, school.baseUrl) : undefined;
  const secret = order_secret === null ? [] : keepSecret(request, school, id, order_secret);
  return { status: 303, location: url ?? `/checkout/${id}`, cookies: [...visitor.cookies, ...secret] };
}

const fields: Readonly<Record<string, Problem>> = {
  email: { complaint: 'email_wrong', field: 'email' },
  name: { complaint: 'name_wrong', field: 'name' },
  coupon_code: { complaint: 'coupon_invalid', field: 'coupon' },
};

/** How a form is shown again that was refused: with its key as long as the same form may be sent again, else with a new one. */
function sentAgain({ code, status, details, wait }: Refused, key: string): Sent {
  const one = (complaint: Complaint, more: Sent = {}): Sent => ({ status: 409, problems: [{ complaint }], ...more });
  if (status === 429) return one('rate_limited', { status, wait, key });
  if (status >= 500 || code === 'idempotency_in_progress') return one('unavailable', { status: 503, wait: 2, key });
  if (code === 'idempotency_key_reused') return one('sent_before');
  if (code === 'price_changed') return one('price_changed');
  if (code === 'coupon_invalid') return { problems: [{ complaint: 'coupon_invalid', field: 'coupon' }] };
  const wrong = details.flatMap(({ path }) => fields[path.split('.')[0] ?? ''] ?? []);
  // What else is refused is refused to the quote as well, and the page says why.
  return wrong.length > 0 ? { problems: wrong, key } : one('unavailable');
}
