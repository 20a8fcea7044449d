import {
  type Deliver,
  type MailContents,
  type Outcome,
  addressingOf,
  composeMail,
  filledText,
  oneLine,
  sendMail,
} from '@lyceum/service';
import { Problem } from '@lyceum/web';
import type { CommercePorts } from '../ports/commerce-ports.ts';
import { mailAboutInvoice, mailAboutOrder } from './mail.about-orders.ts';
import { mailAboutSubscription } from './mail.about-subscriptions.ts';
import type { MailDelivery } from '../mail-deliveries/mail.events.ts';
import type { WantedMail, Writing } from './mail.wanted.ts';
import { mailTextsFor } from './texts/languages.ts';

/** So long the address of somebody who is not known is waited for: a new member may be on the way. Milliseconds. */
const patience = 3_600_000;

/** What a mail says now, and to whom; undefined when it has become pointless. */
function wantedMail(ports: CommercePorts, school: string, delivery: MailDelivery): Promise<WantedMail | undefined> {
  switch (delivery.what) {
    case 'free':
    case 'transfer':
    case 'failed':
      return mailAboutOrder(ports, school, delivery);
    case 'receipt':
    case 'refunded':
      return mailAboutInvoice(ports, school, delivery);
    case 'past_due':
    case 'renewal':
    case 'ended':
      return mailAboutSubscription(ports, school, delivery);
  }
}

/** What the mail says, in the language of its reader. */
function contentsOf(wanted: WantedMail, writing: Writing): MailContents {
  const { texts, seller } = writing;
  const { name, slots, rows = [], total, block, link } = wanted.fill(writing);
  const said = texts[name];
  // People choose names freely: here each becomes one line.
  const all = { ...slots, school: oneLine(seller.name), plan: oneLine(slots['plan'] ?? '') };
  return {
    language: texts.lang,
    subject: filledText(said.subject, all),
    lead: filledText(said.lead, all),
    rows: rows.map(([title, value]) => [oneLine(title), value]),
    total,
    block,
    action: said.action,
    link,
    foot: filledText(said.foot, all),
    from: all.school,
  };
}

async function send(
  ports: CommercePorts,
  delivery: MailDelivery,
  school: string,
  idempotencyKey: string,
): Promise<Outcome> {
  const wanted = await wantedMail(ports, school, delivery);
  if (!wanted) return 'sent';
  const answer = await addressingOf(ports, school, wanted.addressed);
  if (!answer) return 'unavailable';
  const { seller, recipient } = answer;
  if (!recipient) return ports.clock.now() < Date.parse(delivery.since) + patience ? 'unavailable' : 'refused';
  const texts = mailTextsFor(recipient.language);
  const { subject, text, html } = composeMail(contentsOf(wanted, { texts, seller, language: texts.lang }));
  const { to } = recipient;
  return sendMail(ports, { from: seller.name, to, subject, text, html, idempotencyKey, asked: delivery.since });
}

/** Sends each mail to whom it is for. What is not known here yet will be. */
export const mailBy = (ports: CommercePorts): Deliver<MailDelivery> => ({
  async try(delivery, school, key) {
    try {
      return await send(ports, delivery, school, key);
    } catch (error) {
      if (error instanceof Problem && error.code === 'temporarily_unavailable') return 'unavailable';
      throw error;
    }
  },
});
