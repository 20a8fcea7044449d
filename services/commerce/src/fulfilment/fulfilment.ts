import type { Incoming } from '@lyceum/documents';
import { isoTime, upcast } from '@lyceum/kernel';
import type { ProcessManager } from '@lyceum/service';
import { z } from 'zod';
import { type OrderEvent, orderEvents } from '../orders/order.events.ts';
import { isOrderId, lineOfSource, orderOf } from '../orders/order.ids.ts';
import type { CommercePorts } from '../ports/commerce-ports.ts';
import { type Fulfilling, carryOut, onItsWay } from './fulfilment.commands.ts';

/** So long members may wait for what they bought before the operator is told. */
const patience = 10 * 60_000;

/** So long a provider may take for a refund before it is asked, and the operator is told. */
const refundPatience = 3 * 24 * 3_600_000;
const refundTimer = 'refund:';

/** So long the address of a guest is kept who has not paid, after the time to pay. */
const guestsRemembered = 30 * 24 * 3_600_000;

/** So long after a payment was opened its provider is asked what became of it, when it has told nothing. */
const firstLook = 10 * 60_000;
/** How often it is asked about money that is on its way. */
const dailyLook = 24 * 60 * 60_000;

const later = (now: string, milliseconds: number): string => isoTime(Date.parse(now) + milliseconds);

const granted = z.object({ source_type: z.string(), source_id: z.string() });

const registered = z.object({ line_id: z.string().optional() });

/** The line of an order for which a member has a place at an event, by the content service. */
function registeredLine(data: unknown): string | undefined {
  const { line_id } = registered.parse(data);
  return line_id !== undefined && orderOf(line_id) !== undefined ? lineOfSource(line_id) : undefined;
}

/** The line of an order that a member was given access for, by the learning or the content service. */
function grantedLine({ type, data }: Pick<Incoming, 'type' | 'data'>): string | undefined {
  if (type === 'RegistrationConfirmed') return registeredLine(data);
  if (type !== 'AccessGranted') return undefined;
  const { source_type, source_id } = granted.parse(data);
  return source_type === 'order_line' && orderOf(source_id) !== undefined ? lineOfSource(source_id) : undefined;
}

const isOfOrder = ({ stream, type }: Incoming): boolean => isOrderId(stream) && Object.hasOwn(orderEvents, type);

type Reaction = ReturnType<ProcessManager<null, never, Fulfilling>['react']>;

/** What follows from an event of an order. */
function after(event: OrderEvent, now: string): Reaction {
  switch (event.type) {
    case 'OrderPlaced': {
      const { buyer, expires_at } = event.data;
      const forget = later(expires_at, guestsRemembered);
      return { set: { expire: expires_at, ...(buyer.member_id === null ? { forget } : {}) } };
    }
    case 'PaymentTimeSet':
      return { set: { expire: event.data.expires_at, forget: later(event.data.expires_at, guestsRemembered) } };
    case 'PaymentOpened':
      return { set: { look: later(now, firstLook) } };
    case 'PaymentProcessing':
      return { set: { look: later(now, dailyLook) } };
    case 'OrderPaid':
      return {
        cancel: ['expire', ...(event.data.member_id === null ? ['forget'] : [])],
        ...(event.data.member_id === null ? { commands: [{ do: 'attach' }] } : {}),
      };
    case 'OrderCanceled':
      return { cancel: ['expire'], commands: [{ do: 'cancel' }] };
    case 'LatePaymentReturned':
    case 'RefundRequested': {
      const { refund_id } = event.data;
      const what = event.type === 'RefundRequested' ? 'refund' : 'return';
      return { commands: [{ do: what, refund_id }], set: { [refundTimer + refund_id]: later(now, refundPatience) } };
    }
    case 'OrderRefunded':
    case 'PaymentReturned':
      return { cancel: [refundTimer + event.data.refund_id] };
    case 'RefundFailed':
    case 'RefundReversed': {
      const { refund_id } = event.data;
      return { cancel: [refundTimer + refund_id], commands: [{ do: 'refund_failed', refund_id }] };
    }
    case 'NoticeRefused':
      return { commands: [{ do: 'report', event_id: event.data.event_id }] };
    case 'OrderFulfillable':
      return { set: { fulfilled: later(now, patience) } };
    case 'OrderFulfilled':
      return { cancel: ['fulfilled'] };
    default:
      return {};
  }
}

/** What is to be done when a timer is due. */
function due(timer: string): Fulfilling {
  if (timer.startsWith(refundTimer)) return { do: 'look_at_refund', refund_id: timer.slice(refundTimer.length) };
  return { do: timer === 'expire' || timer === 'look' || timer === 'forget' ? timer : 'check' };
}

/**
 * Brings an order from its payment to what was bought: whose it is, money that goes back, the end of its time. What does
 * not succeed is tried again for a day; what only a person can settle is told to the operator at once.
 */
export const fulfilmentProcess: ProcessManager<null, never, Fulfilling, CommercePorts> = {
  name: 'fulfilment',
  events: {},
  initial: null,
  evolve: (state) => state,
  correlate(event) {
    if (isOfOrder(event)) return event.stream;
    const line = grantedLine(event);
    return line === undefined ? undefined : orderOf(line);
  },
  react(input, _state, now) {
    if (input.kind === 'timer') return { commands: [due(input.timer)] };
    if (input.kind === 'rejected') return input.code === onItsWay ? { set: { look: later(now, dailyLook) } } : {};
    const line_id = grantedLine(input.event);
    if (line_id !== undefined) return { commands: [{ do: 'line', line_id }] };
    return isOfOrder(input.event) ? after(upcast(orderEvents, input.event), now) : {};
  },
  carryOut,
};
