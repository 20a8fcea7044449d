import type { Incoming } from '@lyceum/documents';
import { isoTime, upcast } from '@lyceum/kernel';
import { invoiceEvents } from '../invoices/invoice.events.ts';
import { isInvoiceId } from '../invoices/invoice.ids.ts';
import { orderEvents } from '../orders/order.events.ts';
import { isOrderId } from '../orders/order.ids.ts';
import { subscriptionEvents } from '../subscriptions/subscription.events.ts';
import type { MailDelivery } from '../mail-deliveries/mail.events.ts';
import { reminderAt, reminderOfLong } from './mail.reminders.ts';

const day = 86_400_000;
/** A mail that cannot be sent for so long is old news. */
const lifetime = 3 * day;

const later = (at: string, milliseconds: number): string => isoTime(Date.parse(at) + milliseconds);

/** What an event obliges the service to write to people. Pure. */
export function dueMails(event: Incoming): readonly MailDelivery[] {
  const { stream } = event;
  if (isOrderId(stream) && Object.hasOwn(orderEvents, event.type)) return aboutOrder(event);
  if (isInvoiceId(stream) && Object.hasOwn(invoiceEvents, event.type)) return aboutInvoice(event);
  return stream.startsWith('subscription_') && Object.hasOwn(subscriptionEvents, event.type)
    ? aboutSubscription(event)
    : [];
}

type Wanted = Pick<MailDelivery, 'what'> & Partial<Pick<MailDelivery, 'part' | 'from' | 'until'>>;

const mail = ({ stream: about, at }: Incoming, wanted: Wanted): readonly MailDelivery[] => [
  { about, since: wanted.from ?? at, until: later(wanted.from ?? at, lifetime), ...wanted },
];

function aboutOrder(event: Incoming): readonly MailDelivery[] {
  const { type, data } = upcast(orderEvents, event);
  switch (type) {
    case 'OrderPaid':
      return data.payment_id === null ? mail(event, { what: 'free' }) : [];
    case 'PaymentOpened':
      return data.url === null ? mail(event, { what: 'transfer', part: data.payment_id }) : [];
    case 'OrderFailed':
      return mail(event, { what: 'failed' });
    default:
      return [];
  }
}

/** What was paid and paid back is written about with the document: it says all there is to say. */
function aboutInvoice(event: Incoming): readonly MailDelivery[] {
  const { type, data } = upcast(invoiceEvents, event);
  // Of a refund that failed the operator is told, who knows what becomes of it.
  if (type === 'InvoiceIssued') return data.of_credit_note ? [] : mail(event, { what: 'receipt' });
  return type === 'CreditNoteIssued' ? mail(event, { what: 'refunded' }) : [];
}

function aboutSubscription(event: Incoming): readonly MailDelivery[] {
  const { type, data } = upcast(subscriptionEvents, event);
  switch (type) {
    case 'SubscriptionStarted':
      return reminder(event, data.period_start, data.period_end, data.trial_end !== null);
    case 'SubscriptionRenewed':
    case 'SubscriptionPlanChanged':
    case 'SubscriptionResumed':
      return reminder(event, data.period_start, data.period_end, false);
    case 'SubscriptionExtended':
      return newReminder(event, data.period_end);
    case 'SubscriptionPastDue':
    case 'SubscriptionRetryFailed':
      return mail(event, { what: 'past_due', part: data.payment_id });
    case 'SubscriptionLapsed':
    case 'SubscriptionCanceled':
      return mail(event, { what: 'ended' });
    default:
      return [];
  }
}

/** The period is longer by now: whether people are reminded of its end at all is seen when they are to be. */
function newReminder(event: Incoming, end: string): readonly MailDelivery[] {
  if (end <= event.at) return [];
  const from = reminderOfLong(end);
  return mail(event, { what: 'renewal', part: end, from: from < event.at ? event.at : from, until: end });
}

function reminder(event: Incoming, start: string, end: string | null, isTrial: boolean): readonly MailDelivery[] {
  const from = end === null ? undefined : reminderAt(start, end, isTrial);
  if (end === null || from === undefined || end <= event.at) return [];
  return mail(event, { what: 'renewal', part: end, from, until: end });
}
