import type { Recorded } from '@lyceum/kernel';
import type { OrderData, PlacedLine } from './order.events.ts';

/** What an order can be. */
export const orderStatuses = [
  'pending',
  'paid',
  'partially_refunded',
  'refunded',
  'expired',
  'failed',
  'canceled',
  'disputed',
  'charged_back',
] as const;

/** What an order is. */
export type OrderStatus = (typeof orderStatuses)[number];

/** What a payment is: `returned` when its money was not wanted any more. */
export type PaymentState =
  'created' | 'open' | 'processing' | 'failed' | 'captured' | 'returned' | 'disputed' | 'charged_back';

/** A payment for an order. Times are RFC 3339 UTC. */
export interface Payment {
  readonly payment_id: string;
  readonly provider: string;
  readonly amount: number;
  readonly state: PaymentState;
  /** What the provider calls it; null until it is open there. */
  readonly reference: string | null;
  readonly url: string | null;
  readonly paid_at: string | null;
  /** What the provider calls the event by which its money came; null before. */
  readonly event_id: string | null;
  readonly agreement: string | null;
  /** Why the provider never takes it, in words for operators. */
  readonly failure: string | null;
  readonly started_at: string;
}

/** Money that goes back. `noticed`: its payment has not come yet. */
export interface Refund {
  readonly refund_id: string;
  readonly payment_id: string | null;
  readonly amount: number;
  readonly reason: string;
  readonly state: 'requested' | 'noticed' | 'done' | 'failed' | 'returning' | 'returned';
  readonly line_ids: readonly string[];
  readonly at: string;
  /** The lines that were asked to be taken back, once it is done; absent = none. */
  readonly asked?: readonly string[];
  /** Whether nothing of what was paid was left with it. */
  readonly full?: boolean;
  /** Why it failed. */
  readonly failure?: string;
  /** The provider said so later: what it says of it afterwards is older. */
  readonly final?: boolean;
}

/** A line of an order, and what became of it. */
export interface OrderLine extends PlacedLine {
  readonly revoked: boolean;
  readonly fulfilled: boolean;
  /** How often access was given for it; absent = once. */
  readonly access?: number;
  /** Whether access rests, as the payment is disputed; absent = no. */
  readonly suspended?: boolean;
}

/** What a provider said and did not fit; `dismissed` once the operator has dealt with it. */
export type RefusedNotice = OrderData<'NoticeRefused'> & { readonly dismissed: boolean };

type Placed = OrderData<'OrderPlaced'>;

/** An order with its payments. */
export interface Order extends Recorded, Omit<Placed, 'lines'> {
  readonly status: OrderStatus;
  readonly lines: readonly OrderLine[];
  /** Until when it could be paid when it was placed, and what was held for it was held. */
  readonly placed_end: Pick<Placed, 'expires_at' | 'holds_until'>;
  readonly payments: readonly Payment[];
  readonly refunds: readonly Refund[];
  /** Events of providers that were refused. */
  readonly refused: readonly RefusedNotice[];
  /** Disputes of payments that have not come yet. */
  readonly disputes: readonly OrderData<'DisputeNoticed'>[];
  /** Since when access rests, as the payment is disputed; absent = it does not. */
  readonly suspended_at?: string;
  readonly paid_at: string | null;
  readonly fulfillable: boolean;
  readonly fulfilled_at: string | null;
}

/** An order; null = there is none. */
export type OrderState = Order | null;

/** What was paid for an order: of one payment at most. */
export const capturedOf = ({ payments }: Pick<Order, 'payments'>): Payment | undefined =>
  payments.find(({ state }) => state === 'captured' || state === 'disputed' || state === 'charged_back');

/** What was paid back, or is to be. Minor units. */
export const refundedOf = (
  { refunds }: Pick<Order, 'refunds'>,
  states: readonly Refund['state'][] = ['done'],
): number => refunds.filter(({ state }) => states.includes(state)).reduce((sum, { amount }) => sum + amount, 0);

/** Whether the order counts as bought, whatever was paid back since. */
export const isBought = ({ paid_at }: Pick<Order, 'paid_at'>): boolean => paid_at !== null;
