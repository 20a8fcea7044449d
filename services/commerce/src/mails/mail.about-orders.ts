import { fold } from '@lyceum/eventlog';
import { dayIn, momentIn } from '@lyceum/service';
import { type Invoice, invoiceDecider } from '../invoices/invoice.ts';
import { type Order, isBought } from '../orders/order.state.ts';
import { orderDecider } from '../orders/deciding/order.ts';
import type { CommercePorts } from '../ports/commerce-ports.ts';
import { subscriptionDecider } from '../subscriptions/subscription.ts';
import type { MailDelivery } from '../mail-deliveries/mail.events.ts';
import { moneyIn } from './mail.values.ts';
import type { Filling, WantedMail, Writing } from './mail.wanted.ts';

type Reading = Pick<CommercePorts, 'log' | 'invoiceLinks' | 'providers'>;
type Row = readonly [name: string, value: string];

/** What the buyer of an order is written to about it now; undefined when it has become pointless. */
export async function mailAboutOrder(
  ports: Reading,
  school: string,
  { what, about, part }: MailDelivery,
): Promise<WantedMail | undefined> {
  const { state: order } = await fold(ports.log, orderDecider, school, about);
  if (!order) return undefined;
  const addressed = order.buyer;
  switch (what) {
    case 'free':
      return { addressed, fill: (writing) => ofNothing(order, writing) };
    case 'transfer': {
      const payment = order.payments.find(({ payment_id }) => payment_id === part);
      if (payment?.provider !== 'manual' || payment.state !== 'open' || order.status !== 'pending') return undefined;
      const { reference } = payment;
      if (reference === null) return undefined;
      const until = await payableUntil(ports, school, about, order);
      const instructions = ports.providers.get('manual')?.instructions ?? null;
      const said = { reference, instructions };
      return { addressed, fill: (writing) => transfer(about, { ...order, expires_at: until }, said, writing) };
    }
    // Renewals are written about with their subscription, which knows what is tried when.
    case 'failed':
      if (order.status !== 'failed' || order.source !== 'checkout') return undefined;
      return { addressed, fill: (writing) => failed(about, order, writing) };
    default:
      return undefined;
  }
}

/** Until when the money has to be there: for the period of a subscription while it gives access. */
async function payableUntil({ log }: Reading, school: string, id: string, order: Order): Promise<string> {
  const { subscription_id, expires_at } = order;
  if (subscription_id === null) return expires_at;
  const { state: subscription } = await fold(log, subscriptionDecider, school, subscription_id);
  return subscription?.dunning?.order_id === id ? subscription.dunning.grace_until : expires_at;
}

/** What the buyer is written to about an invoice or a credit note. */
export async function mailAboutInvoice(
  { log, invoiceLinks }: Reading,
  school: string,
  { about }: MailDelivery,
): Promise<WantedMail | undefined> {
  const { state: invoice } = await fold(log, invoiceDecider, school, about);
  const { state: order } = invoice ? await fold(log, orderDecider, school, invoice.order_id) : { state: null };
  if (!invoice || !order || !isBought(order)) return undefined;
  const linkAt = (base_url: string) => invoiceLinks.urlOf(school, base_url, about);
  return { addressed: order.buyer, fill: (writing) => documented(invoice, linkAt(writing.seller.base_url), writing) };
}

/** The page of an order, on which it is paid. */
export const orderPage = (base_url: string, order: string): string => `${base_url}/checkout/${order}`;

const slotsOf = ({ number, total, currency }: Order, { language }: Writing) => ({
  order: String(number),
  amount: moneyIn(language, { amount: total, currency }),
});

const ofNothing = (order: Order, writing: Writing): Filling => ({
  name: 'free',
  slots: slotsOf(order, writing),
  rows: rowsOf(order, writing),
  link: writing.seller.base_url,
});

const priced =
  ({ currency }: { readonly currency: string }, { language }: Writing) =>
  (amount: number): string =>
    moneyIn(language, { amount, currency });

/** What was bought, line by line; several of one with their number. */
function rowsOf(order: Order, writing: Writing): readonly Row[] {
  const written = priced(order, writing);
  return order.lines.map(({ title, quantity, total }) => [times(title, quantity), written(total)] as const);
}

const times = (title: string, quantity: number): string => (quantity === 1 ? title : `${quantity} × ${title}`);

/** What a bank transfer says, and where it goes; null = the seller's details say it. */
interface Transfer {
  readonly reference: string;
  readonly instructions: string | null;
}

function transfer(id: string, order: Order, { reference, instructions }: Transfer, writing: Writing): Filling {
  const { texts, seller, language } = writing;
  const block = instructions ?? seller.details;
  const slots = slotsOf(order, writing);
  return {
    name: 'transfer',
    slots: { ...slots, until: momentIn(language, seller.timezone, order.expires_at) },
    rows: [
      [texts.total, slots.amount],
      [texts.reference, reference],
    ],
    ...(block === null ? {} : { block }),
    link: orderPage(seller.base_url, id),
  };
}

const failed = (id: string, order: Order, writing: Writing): Filling => ({
  name: 'failed',
  slots: {
    ...slotsOf(order, writing),
    until: momentIn(writing.language, writing.seller.timezone, order.expires_at),
  },
  rows: rowsOf(order, writing),
  link: orderPage(writing.seller.base_url, id),
});

function documented(invoice: Invoice, link: string, writing: Writing): Filling {
  const { texts, language } = writing;
  const written = priced(invoice, writing);
  const lines = invoice.kind === 'invoice' ? invoice.lines : invoice.lines.map((line) => ({ ...line, quantity: 1 }));
  const day = invoice.kind === 'invoice' ? invoice.paid_on : invoice.refunded_on;
  const tax: readonly Row[] = invoice.tax_total > 0 ? [[texts.tax, written(invoice.tax_total)]] : [];
  return {
    name: invoice.kind === 'invoice' ? 'receipt' : 'refunded',
    slots: { order: String(invoice.order_number), amount: written(invoice.total), date: dayIn(language, 'UTC', day) },
    rows: [...lines.map(({ title, quantity, total }) => [times(title, quantity), written(total)] as const), ...tax],
    total: [texts.total, written(invoice.total)],
    link,
  };
}
