import type { AskService } from '@lyceum/internal-api';
import { secretOf } from './asking/order-cookies.ts';
import {
  type Checkout,
  type Refused,
  type SoldItem,
  ShopUnavailable,
  payAgain,
  readOrder,
  readSeller,
  readSold,
} from './asking/shop.ts';
import type { FormTags } from './asking/visitor.ts';
import { itemTypes } from './asking/wanted.ts';
import { type CheckoutAnswer, type CheckoutExchange, formOf } from './checkout-exchange.ts';
import { providerAddress } from './pages/order-onward.ts';
import { orderPage } from './pages/order-page.ts';
import type { Complaint } from './texts/checkout-texts.ts';

/** What the pages of orders work with. */
export interface OrderPorts {
  readonly tags: FormTags;
  readonly ask: AskService;
}

/** Shows an order to its buyer; undefined when it is not theirs, or there is none. */
export async function showOrder(
  ports: OrderPorts,
  exchange: CheckoutExchange,
  id: string,
): Promise<CheckoutAnswer | undefined> {
  const found = await orderOf(exchange, id);
  return found && show(ports, exchange, found);
}

const orderOf = ({ request, school, own }: CheckoutExchange, id: string): Promise<Checkout | undefined> =>
  readOrder(own, id, secretOf(request, school, id));

async function show(
  { tags }: OrderPorts,
  { school, language, open, visitor }: CheckoutExchange,
  checkout: Checkout,
  problem?: Complaint,
  status = 200,
): Promise<CheckoutAnswer> {
  const [seller, items] = await Promise.all([readSeller(open), readItems(open, checkout)]);
  const csrf = tags.of(school.id, checkout.id, visitor);
  const isMember = visitor.member !== undefined;
  const page = orderPage({ school, language, seller, checkout, items, isMember, problem, csrf });
  return { status, page, cookies: visitor.cookies };
}

/** What an order is about, as far as it can be read: its receipt needs nothing of it. */
async function readItems(open: CheckoutExchange['open'], { order }: Checkout): Promise<readonly SoldItem[]> {
  const named = order.lines.flatMap(({ item_type, item_id }) => {
    const type = itemTypes.find((each) => each === item_type);
    return type ? [{ type, name: item_id }] : [];
  });
  const read = await Promise.all(named.map((item) => readSold(open, item).catch(() => undefined)));
  return read.filter((item): item is SoldItem => item !== undefined);
}

const outcomes = { succeed: 'captured', fail: 'failed' } as const;

/**
 * Does what a button of the page says: pays again, or says what becomes of a test payment, which moves no money. Undefined
 * when the order is not theirs who ask.
 */
export async function changeOrder(
  ports: OrderPorts,
  exchange: CheckoutExchange,
  id: string,
): Promise<CheckoutAnswer | undefined> {
  const { request, school, visitor, own } = exchange;
  const checkout = await orderOf(exchange, id);
  if (!checkout) return undefined;
  const sent = await formOf(request);
  if (!sent || !ports.tags.isOf(sent.get('csrf') ?? '', school.id, id, visitor))
    return show(ports, exchange, checkout, 'form_expired', 403);
  const action = sent.get('do');
  const here = { status: 303, location: `/checkout/${id}`, cookies: visitor.cookies } as const;
  if (action === 'retry') {
    const outcome = await payAgain(own, id, secretOf(request, school, id));
    if ('refused' in outcome) return refuse(ports, exchange, checkout, outcome.refused);
    const { payment } = outcome.placed;
    const url = payment?.state === 'open' ? providerAddress(payment.url, school.baseUrl) : undefined;
    return { ...here, location: url ?? here.location };
  }
  if (action === 'succeed' || action === 'fail') {
    const question = { kind: 'test_payment', school: school.id, order: id, outcome: outcomes[action] };
    await ports.ask('commerce', question).catch((cause: unknown) => {
      throw new ShopUnavailable('the commerce service cannot be asked', { cause });
    });
  }
  return here;
}

/** Why there is no other payment, and the status of the page that says so. */
function complaintOf({ status, code }: Refused): readonly [Complaint, number] {
  if (status === 429) return ['rate_limited', 429];
  if (status >= 500) return ['unavailable', 503];
  return code === 'sold_out' || code === 'coupon_invalid' ? [code, 409] : ['order_over', 409];
}

/** Says why there is no other payment; when the order has changed meanwhile, its page says what there is to do. */
async function refuse(
  ports: OrderPorts,
  exchange: CheckoutExchange,
  { id }: Checkout,
  refused: Refused,
): Promise<CheckoutAnswer | undefined> {
  const now = await orderOf(exchange, id);
  const [complaint, status] = complaintOf(refused);
  if (!now || (complaint === 'order_over' && now.order.status !== 'failed'))
    return { status: 303, location: `/checkout/${id}`, cookies: exchange.visitor.cookies };
  return { ...(await show(ports, exchange, now, complaint, status)), wait: refused.wait };
}
