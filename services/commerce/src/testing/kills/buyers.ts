import { until } from '@lyceum/testkit';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '@lyceum/testkit';
import { publishedCourse } from './published-course.ts';
import type { SellingSystem } from './selling-system.ts';

/** What becomes of a purchase when nobody dies. */
export type Kind =
  /** It is paid, and the buyer has it. */
  | 'keep'
  /** It costs nothing. */
  | 'free'
  /** It is paid back, once the buyer has it. */
  | 'refund'
  /** It is paid back as soon as it is paid, perhaps before the buyer has it. */
  | 'hasty refund'
  /** It is canceled before anybody pays. */
  | 'cancel'
  /** Its money comes when it is canceled. */
  | 'late'
  /** Nobody pays. */
  | 'abandon';

/** A purchase as its buyer knows it. */
export interface Bought {
  readonly kind: Kind;
  readonly id: string;
  readonly email: string;
  /** What it is one of, when there is less than people want. */
  readonly scarce: Scarce | undefined;
}

/** What is bought. */
export interface Offer {
  readonly course: string;
  /** A coupon by which it costs nothing. */
  readonly freeBy: string;
}

/** What there is less of than people want. */
export interface Scarce {
  readonly course: string;
  readonly coupon_code?: string;
  /** The error of those for whom nothing is left. */
  readonly over: 'coupon_invalid' | 'sold_out';
}

interface Checkout {
  readonly id: string;
  readonly order: Readonly<Record<string, unknown>> & {
    readonly status: string;
    readonly fulfilled_at: string | null;
    readonly refunds: readonly { readonly state: string }[];
  };
  readonly payment: { readonly state: string; readonly reference: string | null } | null;
}

/** People who buy, and repeat what they asked for with the same Idempotency-Key until they are answered. */
export class Buyers {
  /** All that were answered with an order. */
  readonly bought: Bought[] = [];
  /** What nothing was left of, for each who was told so. */
  readonly refused: Scarce[] = [];
  readonly #system: SellingSystem;
  readonly #offer: Offer;
  #begun = 0;
  readonly #buying = new Map<number, { readonly kind: Kind; readonly end: Promise<void> }>();

  constructor(system: SellingSystem, offer: Offer) {
    this.#system = system;
    this.#offer = offer;
  }

  /** Somebody begins to buy. */
  begin(kind: Kind, scarce?: Scarce): void {
    this.#begun += 1;
    const number = this.#begun;
    const end = this.#buy(kind, number, scarce).then(
      () => void this.#buying.delete(number),
      (error: unknown) => void this.#system.faults.push(`${kind} ${number}: ${String(error)}`),
    );
    this.#buying.set(number, { kind, end });
  }

  /** Everybody who has begun is told of their order, or that there is none. */
  async placed(): Promise<void> {
    while (this.bought.length + this.refused.length < this.#begun) await pause(20);
  }

  /** Those who have not come to the end of their purchase after some milliseconds. */
  async waiting(within: number): Promise<readonly string[]> {
    const all = Promise.all([...this.#buying.values()].map(({ end }) => end));
    await Promise.race([all, pause(within, undefined, { ref: false })]);
    return [...this.#buying].map(([number, { kind }]) => `${kind} ${number}`);
  }

  async #buy(kind: Kind, number: number, scarce: Scarce | undefined): Promise<void> {
    const email = `buyer-${number}@sold.test`;
    const headers = { 'idempotency-key': `"purchase-${number}"` };
    const { course, coupon_code } = scarce ?? { course: this.#offer.course };
    const code = kind === 'free' ? this.#offer.freeBy : coupon_code;
    const json = {
      items: [{ item_type: 'course', item_id: course }],
      email,
      name: `Buyer ${number}`,
      ...(code === undefined ? {} : { coupon_code: code }),
    };
    const { status, body } = await this.#system.insist(
      'a checkout',
      () => this.#system.api('/api/checkout', { headers, json }),
      (answer) => answer.status === 201 || (scarce !== undefined && answer.body.error === scarce.over),
    );
    if (status !== 201 && scarce) return void this.refused.push(scarce);
    this.bought.push({ kind, id: body.id, email, scarce });
    const secret = String(body.order_secret);
    const now = () => this.#read(body.id, secret);
    const first: Checkout = body;
    if (first.payment?.state === 'open' && first.payment.reference !== null)
      await this.#pay(kind, first.id, first.payment.reference, now);
    await this.#settled(now);
  }

  async #pay(kind: Kind, id: string, reference: string, now: () => Promise<Checkout>): Promise<void> {
    const books = this.#system.stripe.books();
    // Its time may be over, in the meantime of a life.
    const isOpen = () => books.session(reference).status === 'open';
    const act = (action: string, key: string, json: object, expected?: (answer: Answer) => boolean) =>
      this.#system.insist(
        action,
        () => this.#system.operate(`/internal/orders/${id}/${action}`, `"${key}-${id}"`, json),
        expected ?? (({ status }) => status === 200 || status === 409),
      );
    if (kind === 'abandon') return;
    if (kind === 'cancel') return void (await act('cancel', 'cancel', { reason: 'asked for' }));
    if (!isOpen()) return;
    if (kind === 'late') {
      books.pay(reference, 'transfer');
      await act('cancel', 'cancel', { reason: 'asked for' });
      return books.settle(reference, true);
    }
    books.pay(reference);
    if (kind === 'keep') return;
    const isPaid = ({ order }: Checkout) => order.status !== 'pending' && (kind !== 'refund' || isSettled(order));
    const { order } = await this.#until(now, isPaid);
    if (order.status === 'paid') await act('refunds', 'refund', { reason: 'asked for' });
    await this.#until(now, ({ order: after }) => after.status !== 'paid');
  }

  async #settled(now: () => Promise<Checkout>): Promise<void> {
    await this.#until(now, ({ order }) => isSettled(order));
  }

  async #until(now: () => Promise<Checkout>, is: (checkout: Checkout) => boolean): Promise<Checkout> {
    for (let wait = 100; ; wait = Math.min(1_000, wait * 1.5)) {
      const found = await now();
      if (is(found)) return found;
      await pause(wait);
    }
  }

  async #read(id: string, secret: string): Promise<Checkout> {
    const { body } = await this.#system.insist('a read', () =>
      this.#system.api(`/api/checkout/${id}`, { headers: { 'order-secret': secret } }),
    );
    return body;
  }
}

/** Whether nothing more happens to an order by itself. */
function isSettled({ status, fulfilled_at, refunds }: Checkout['order']): boolean {
  if (refunds.some(({ state }) => state === 'requested' || state === 'returning')) return false;
  if (status === 'paid') return fulfilled_at !== null;
  return status !== 'pending';
}

/** A course of one lesson for ten dollars, and a coupon by which it costs nothing. Gives what is sold, once it is sold. */
export async function offerSomething(system: SellingSystem): Promise<Offer> {
  const { post, publish } = await seller(system);
  const course = await publish();
  const code = 'FREEOFALL';
  await post('/api/coupons', { code, kind: 'percent', value: 100 });
  return { course, freeBy: code };
}

/** Courses of five seats, and a coupon for ten uses with each. `times`: how many of both. */
export async function offerScarce(
  system: SellingSystem,
  times: number,
): Promise<readonly { readonly seats: string; readonly code: string; readonly coupon: string }[]> {
  const { post, publish } = await seller(system);
  const offers = [];
  for (let index = 0; index < times; index += 1) {
    const code = `TEN${index}`;
    const { id: coupon } = await post('/api/coupons', { code, kind: 'percent', value: 10, max_redemptions: 10 });
    offers.push({ seats: await publish({ seat_limit: 5 }), code, coupon });
  }
  return offers;
}

/** What the owner does. */
async function seller(system: SellingSystem) {
  const scope =
    'courses:read courses:write curriculum:read curriculum:write lecturers:read coupons:read coupons:write orders:read';
  const token = await system.owner(scope);
  const post = async (path: string, json: object = {}) =>
    (await system.insist(path, () => system.api(path, { token, json }))).body;
  const [lecturer] = (await system.api('/api/lecturers', { token })).body.data;
  /** Publishes a course and waits until it is sold. */
  const publish = async (more: { readonly seat_limit?: number } = {}): Promise<string> => {
    const course = await publishedCourse(post, lecturer.id, { title: 'Sold', amount: 1_000, ...more });
    const json = { items: [{ item_type: 'course', item_id: course }] };
    await until(async () => (await system.api('/api/checkout/quotes', { json })).status === 200, 'a quote');
    return course;
  };
  return { post, publish };
}
