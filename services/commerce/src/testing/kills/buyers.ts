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
}

/** What is bought. */
export interface Offer {
  readonly course: string;
  /** A coupon by which it costs nothing. */
  readonly freeBy: string;
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
  /** All that were answered. */
  readonly bought: Bought[] = [];
  readonly #system: SellingSystem;
  readonly #offer: Offer;
  #begun = 0;
  readonly #buying = new Map<number, { readonly kind: Kind; readonly end: Promise<void> }>();

  constructor(system: SellingSystem, offer: Offer) {
    this.#system = system;
    this.#offer = offer;
  }

  /** Somebody begins to buy. */
  begin(kind: Kind): void {
    this.#begun += 1;
    const number = this.#begun;
    const end = this.#buy(kind, number).then(
      () => void this.#buying.delete(number),
      (error: unknown) => void this.#system.faults.push(`${kind} ${number}: ${String(error)}`),
    );
    this.#buying.set(number, { kind, end });
  }

  /** Everybody who has begun is told of their order. */
  async placed(): Promise<void> {
    while (this.bought.length < this.#begun) await pause(20);
  }

  /** Those who have not come to the end of their purchase after some milliseconds. */
  async waiting(within: number): Promise<readonly string[]> {
    const all = Promise.all([...this.#buying.values()].map(({ end }) => end));
    await Promise.race([all, pause(within, undefined, { ref: false })]);
    return [...this.#buying].map(([number, { kind }]) => `${kind} ${number}`);
  }

  async #buy(kind: Kind, number: number): Promise<void> {
    const email = `buyer-${number}@sold.test`;
    const headers = { 'idempotency-key': `"purchase-${number}"` };
    const items = [{ item_type: 'course', item_id: this.#offer.course }];
    const json = {
      items,
      email,
      name: `Buyer ${number}`,
      ...(kind === 'free' ? { coupon_code: this.#offer.freeBy } : {}),
    };
    const { body } = await this.#system.insist('a checkout', () =>
      this.#system.api('/api/checkout', { headers, json }),
    );
    this.bought.push({ kind, id: body.id, email });
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
    for (;;) {
      const found = await now();
      if (is(found)) return found;
      await pause(60);
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
  const scope =
    'courses:read courses:write curriculum:read curriculum:write lecturers:read coupons:read coupons:write orders:read';
  const token = await system.owner(scope);
  const post = async (path: string, json: object = {}) =>
    (await system.insist(path, () => system.api(path, { token, json }))).body;
  const [lecturer] = (await system.api('/api/lecturers', { token })).body.data;
  const course = await publishedCourse(post, lecturer.id, { title: 'Sold', amount: 1_000 });
  const code = 'FREEOFALL';
  await post('/api/coupons', { code, kind: 'percent', value: 100 });
  const quote = { items: [{ item_type: 'course', item_id: course }] };
  for (let tries = 0; tries < 200; tries += 1) {
    if ((await system.api('/api/checkout/quotes', { json: quote })).status === 200) break;
    await pause(25);
  }
  return { course, freeBy: code };
}
