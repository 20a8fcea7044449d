import { fold } from '@lyceum/eventlog';
import { type Deliver, type ModulePorts, type Outcome, addressingOf, composeMail, sendMail } from '@lyceum/service';
import { z } from 'zod';
import type { CalendarEvent } from '../calendar/calendar-event.state.ts';
import { calendarEventDecider } from '../calendar/calendar-event.ts';
import type { MailDelivery } from '../mail-deliveries/mail.events.ts';
import { GuestLinks } from '../guests/guest-links.ts';
import type { Registration } from '../registrations/registration.state.ts';
import { isComing, registrationDecider } from '../registrations/registration.ts';
import { mailContents } from './mail.contents.ts';
import { mailTextsFor } from './texts/languages.ts';

/** What mails are sent with. */
export type MailPorts = Pick<ModulePorts, 'log' | 'ask' | 'clock' | 'mail' | 'rootKeys'>;

/** So long the address of somebody who is not known is waited for: a new member may be on the way. Milliseconds. */
const patience = 3_600_000;

/** Whether a mail still says what is so. */
function isStillSo({ what, part, told }: MailDelivery, registration: Registration, event: CalendarEvent): boolean {
  const { status } = registration;
  const isNewest = told === registration.told && event.starts_at === part;
  switch (what) {
    case 'confirmed':
    case 'promoted':
      return isComing(registration) && event.status === 'published';
    case 'waitlisted':
      return status === 'waitlisted' && event.status === 'published';
    case 'rescheduled':
      return (isComing(registration) || status === 'waitlisted') && event.status === 'published' && isNewest;
    case 'day':
    case 'hour':
      return status === 'confirmed' && event.status === 'published' && isNewest;
    case 'canceled':
      return status === 'canceled' && registration.cancellation === part;
  }
}

const wishes = z.object({ members: z.array(z.object({ id: z.string(), events: z.boolean() })) });

/** Whether somebody wants to be reminded: guests asked for it by registering. Throws while nobody can say. */
async function wantsReminder({ ask }: MailPorts, school: string, member_id: string | null): Promise<boolean> {
  if (member_id === null) return true;
  const answer = await ask?.('school', { kind: 'notifications-of-members', school, ids: [member_id] });
  // A school service of the release before does not know the question.
  if (answer === undefined) return true;
  return wishes.parse(answer).members.find(({ id }) => id === member_id)?.events ?? true;
}

async function isWanted(ports: MailPorts, school: string, delivery: MailDelivery, registration: Registration) {
  if (delivery.what !== 'day' && delivery.what !== 'hour') return true;
  try {
    return await wantsReminder(ports, school, registration.member_id);
  } catch {
    return undefined;
  }
}

async function send(
  ports: MailPorts,
  delivery: MailDelivery,
  school: string,
  idempotencyKey: string,
): Promise<Outcome> {
  const { about, since } = delivery;
  const { state: registration } = await fold(ports.log, registrationDecider, school, about);
  if (!registration) return 'sent';
  const { state: event } = await fold(ports.log, calendarEventDecider, school, registration.event_id);
  if (!event || !isStillSo(delivery, registration, event)) return 'sent';
  const wanted = await isWanted(ports, school, delivery, registration);
  if (wanted === undefined) return 'unavailable';
  if (!wanted) return 'sent';
  const { member_id, guest } = registration;
  const addressed = { member_id, email: guest?.email, ...(guest?.language ? { language: guest.language } : {}) };
  const answer = await addressingOf(ports, school, addressed);
  if (!answer) return 'unavailable';
  const { seller, recipient } = answer;
  if (!recipient) return ports.clock.now() < Date.parse(since) + patience ? 'unavailable' : 'refused';
  const texts = mailTextsFor(recipient.language);
  const links = new GuestLinks(ports.rootKeys);
  const cancelAt = guest ? links.urlOf(school, seller.base_url, about) : undefined;
  const contents = mailContents({ delivery, registration, event, seller, texts, cancelAt });
  const { to } = recipient;
  return sendMail(ports, { from: seller.name, to, ...composeMail(contents), idempotencyKey, asked: since });
}

/** Sends each mail to whom it is for. What is not known here yet will be. */
export const mailBy = (ports: MailPorts): Deliver<MailDelivery> => ({
  try: (delivery, school, key) => send(ports, delivery, school, key),
});
