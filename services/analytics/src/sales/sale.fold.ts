import type { FactOf } from '@lyceum/contracts';
import type { Day } from '../calendar/calendar.ts';
import type { Changes, Editing } from '../figures/changes.ts';
import type { Figures } from '../figures/figures.ts';
import { type Series, addAlike } from '../figures/series.ts';
import { type SaleLine, givenBack, grossOf, leftOf, netBetween, sharesOf } from './sale.ts';

/** An order, as far as later facts need it. `refunds`: what of each line went back, by refund. No person is in it. */
interface SaleRow {
  /** RFC 3339. */
  readonly placed_at: string;
  readonly day: Day;
  readonly currency: string;
  readonly coupon_id: string | null;
  /** Placed at the checkout, to be paid for: whether it is paid counts for the conversion. */
  readonly converts: boolean;
  readonly paid: boolean;
  readonly disputed: number | null;
  readonly lines: readonly SaleLine[];
  readonly refunds: Readonly<Record<string, readonly number[]>>;
}

type Of<Type extends FactOf<'commerce'>['type']> = Extract<FactOf<'commerce'>, { type: Type }>['data'];

/** What is paid later than this after it was placed does not change the day of the placement any more. Milliseconds. */
const conversionWithin = 86_400_000;

const isOf = ({ item_type, item_id }: SaleLine, course: string): boolean =>
  item_type === 'course' && item_id === course;

/** The days of revenue: of a course, or of all ('') that is sold. */
export const revenueOf = (scope: string): Series => ({ name: 'revenue', scope });

/** The days of a coupon, or of all ('') coupons. */
export const couponsOf = (scope: string): Series => ({ name: 'coupons', scope });

/** The courses among lines, each once. */
const coursesOf = (lines: readonly SaleLine[]): readonly string[] => [
  ...new Set(lines.flatMap(({ item_type, item_id }) => (item_type === 'course' ? item_id : []))),
];

/** One fact about an order or a coupon on its way into the figures. */
export class SaleFold {
  readonly #changes: Changes;
  readonly #day: Day;
  readonly #at: string;

  constructor(changes: Changes, day: Day, at: string) {
    this.#changes = changes;
    this.#day = day;
    this.#at = at;
  }

  *placed({ order_id, lines, source, total, currency, coupon_id }: Of<'OrderPlaced'>): Editing {
    const id = `order:${order_id}`;
    if (yield* this.#changes.read(id)) return;
    const row: SaleRow = {
      placed_at: this.#at,
      day: this.#day,
      currency,
      coupon_id,
      converts: source === 'checkout' && total > 0,
      paid: false,
      disputed: null,
      lines: lines.map((line) => ({
        item_type: line.item_type,
        item_id: line.item_id,
        line_id: line.line_id,
        total: line.total,
        tax: line.tax,
        back: 0,
      })),
      refunds: {},
    };
    this.#changes.write(id, row);
    if (row.converts) yield* this.#revenue(row, () => ({ placed: 1 }), this.#day);
  }

  *paid({ order_id }: Of<'OrderPaid'>): Editing {
    const row = yield* this.#order(order_id);
    if (!row || row.paid) return;
    this.#keep(order_id, { ...row, paid: true });
    yield* this.#revenue(row, (lines) => {
      const gross = lines.reduce((all, line) => all + grossOf(line), 0);
      return { gross, orders: lines.some(({ total }) => total > 0) ? 1 : 0 };
    });
    const isSoon = Date.parse(this.#at) - Date.parse(row.placed_at) <= conversionWithin;
    if (row.converts && isSoon) yield* this.#revenue(row, () => ({ converted: 1 }), row.day);
  }

  *refunded({ order_id, refund_id, amount, lines }: Of<'OrderRefunded'>): Editing {
    const row = yield* this.#order(order_id);
    if (!row || row.refunds[refund_id]) return;
    yield* this.#giveBack(order_id, row, refund_id, amount, lines);
  }

  *reversed({ order_id, refund_id }: Of<'OrderRefundReversed'>): Editing {
    const row = yield* this.#order(order_id);
    const parts = row?.refunds[refund_id];
    if (!row || !parts) return;
    const { [refund_id]: _reversed, ...refunds } = row.refunds;
    const lines = givenBack(
      row.lines,
      parts.map((part) => -part),
    );
    this.#keep(order_id, { ...row, lines, refunds });
    yield* this.#refunds(row, lines);
  }

  *disputed({ order_id, amount }: Of<'OrderDisputed'>): Editing {
    const row = yield* this.#order(order_id);
    if (row) this.#keep(order_id, { ...row, disputed: amount });
  }

  *resolved({ order_id, won, lines }: Of<'OrderDisputeResolved'>): Editing {
    const row = yield* this.#order(order_id);
    if (!row) return;
    const settled = { ...row, disputed: null };
    if (won) this.#keep(order_id, settled);
    else yield* this.#giveBack(order_id, settled, 'dispute', row.disputed ?? leftOf(row.lines), lines);
  }

  *redeemed({ coupon_id, amount, currency }: Of<'CouponRedeemed'>): Editing {
    const figures = { [currency]: { redemptions: 1, discount: amount } };
    yield* addAlike(this.#changes, [couponsOf(''), couponsOf(coupon_id)], this.#day, figures);
  }

  *#order(order_id: string): Editing<SaleRow | undefined> {
    return yield* this.#changes.read<SaleRow>(`order:${order_id}`);
  }

  #keep(order_id: string, row: SaleRow): void {
    this.#changes.write(`order:${order_id}`, row);
  }

  *#giveBack(
    order_id: string,
    row: SaleRow,
    name: string,
    amount: number,
    taken: readonly { readonly line_id: string }[],
  ): Editing {
    const parts = sharesOf(row.lines, amount, new Set(taken.map(({ line_id }) => line_id)));
    const lines = givenBack(row.lines, parts);
    this.#keep(order_id, { ...row, lines, refunds: { ...row.refunds, [name]: parts } });
    yield* this.#refunds(row, lines);
  }

  *#refunds(before: SaleRow, after: readonly SaleLine[]): Editing {
    yield* this.#revenue(before, (_lines, indexes) => ({
      refunds: indexes.reduce((all, index) => all + netBetween(before.lines[index]!, after[index]!), 0),
    }));
  }

  /** Adds what `figuresOf` makes of the lines of each course, and of all, to the days of revenue, and to those of the coupon. */
  *#revenue(
    { lines, currency, coupon_id }: SaleRow,
    figuresOf: (lines: readonly SaleLine[], indexes: readonly number[]) => Figures,
    day = this.#day,
  ): Editing {
    const all = [...lines.keys()];
    const figures = (indexes: readonly number[]): Figures => ({
      [currency]: figuresOf(
        indexes.map((index) => lines[index]!),
        indexes,
      ),
    });
    yield* addAlike(this.#changes, [revenueOf('')], day, figures(all));
    for (const course of coursesOf(lines)) {
      const own = all.filter((index) => isOf(lines[index]!, course));
      yield* addAlike(this.#changes, [revenueOf(course)], day, figures(own));
    }
    if (coupon_id !== null) yield* addAlike(this.#changes, [couponsOf(''), couponsOf(coupon_id)], day, figures(all));
  }
}
