import type { SideEvent } from '@lyceum/kernel';
import type { PaymentNotice } from '../payments/payment-provider.ts';
import type { OrderData } from './order.events.ts';
import type { Held } from './order.held.ts';
import type { NumberingState } from './order.numbers.ts';

/** Until when an order can be paid, and until when what is held for it is held. RFC 3339 UTC. */
export type PaymentEnd = Pick<OrderData<'PaymentTimeSet'>, 'expires_at' | 'holds_until'>;

/** What is placed: all of it but the number, which follows from those before. */
export type PlacedOrder = Omit<OrderData<'OrderPlaced'>, 'number'>;

/**
 * The first payment of an order; null when there is nothing to pay. Of nothing to pay there is one where the provider is
 * to save an agreement to later charges.
 */
type FirstPayment = { readonly payment_id: string; readonly provider: string } | null;

/** What can be asked of an order. `now`: RFC 3339 UTC. `held`: what is held for it, as it is now. */
export type OrderCommand =
  | {
      readonly type: 'PlaceOrder';
      readonly id: string;
      readonly order: PlacedOrder;
      readonly payment: FirstPayment;
      readonly numbering: NumberingState;
      readonly held: Held;
      /** Until when it is held, where that is not as long as money for the order is taken. */
      readonly hold?: string;
      /** What else is written with it into other streams, e.g. the subscription that is bought; absent = nothing. */
      readonly beside?: readonly SideEvent[];
      readonly now: string;
    }
  /** Another payment is tried in place of the one before: until when the order can be paid then, if that is later. */
  | {
      readonly type: 'StartPayment';
      readonly order_id: string;
      readonly payment_id: string;
      readonly provider: string;
      readonly end: PaymentEnd;
      readonly held: Held;
      readonly now: string;
    }
  /** The provider never takes the payment. */
  | { readonly type: 'FailPayment'; readonly payment_id: string; readonly reason: string }
  | {
      readonly type: 'OpenPayment';
      readonly payment_id: string;
      readonly reference: string;
      readonly url: string | null;
    }
  | {
      readonly type: 'TakeNotice';
      readonly order_id: string;
      readonly provider: string;
      readonly notice: PaymentNotice;
      readonly held: Held;
      /** Whether access rests while the payment is disputed; absent = no. */
      readonly suspends?: boolean;
      readonly now: string;
    }
  | {
      readonly type: 'RequestRefund';
      readonly order_id: string;
      readonly refund_id: string;
      /** null = what the lines cost, or all that is left. */
      readonly amount: number | null;
      readonly line_ids: readonly string[];
      readonly reason: string;
      readonly held: Held;
    }
  | { readonly type: 'FailRefund'; readonly refund_id: string; readonly reason: string }
  | { readonly type: 'RecordReturn'; readonly refund_id: string }
  /** `over`: what it was for is over before its time to pay. */
  | { readonly type: 'ExpireOrder'; readonly now: string; readonly over?: true }
  | { readonly type: 'CancelOrder'; readonly order_id: string; readonly reason: string; readonly held: Held }
  | { readonly type: 'DismissNotice'; readonly event_id: string }
  /** `counts`: the stream that counts how often the member has used the coupon of the order. */
  | {
      readonly type: 'AttachBuyer';
      readonly member_id: string;
      readonly counts?: { readonly order_id: string; readonly stream: string };
    }
  | { readonly type: 'FulfilLine'; readonly line_id: string };

/** A command of one type. */
export type OrderCommandOf<T extends OrderCommand['type']> = Extract<OrderCommand, { type: T }>;

/** What a command can be rejected for. */
export type OrderCode = 'not_found' | 'invalid_state' | 'validation_failed' | 'sold_out' | 'coupon_invalid';
