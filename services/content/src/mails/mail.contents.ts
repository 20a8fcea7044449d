import { type MailContents, type Seller, filledText, momentIn, oneLine } from '@lyceum/service';
import type { CalendarEvent } from '../calendar/calendar-event.state.ts';
import type { MailDelivery } from '../mail-deliveries/mail.events.ts';
import type { Registration } from '../registrations/registration.state.ts';
import type { MailName, MailTexts } from './texts/mail-text.ts';

/** What a mail is about, and for whom. */
export interface Written {
  readonly delivery: MailDelivery;
  readonly registration: Registration;
  readonly event: CalendarEvent;
  readonly seller: Seller;
  readonly texts: MailTexts;
  /** Where a guest cancels; undefined for members, who do it with their account. */
  readonly cancelAt: string | undefined;
}

const whyCanceled: Readonly<Record<string, MailName>> = {
  self: 'canceled',
  event: 'calledOff',
  sold_out: 'soldOut',
};

/** Which mail it is. */
const nameOf = ({ what, part }: MailDelivery): MailName =>
  what === 'canceled' ? (whyCanceled[part] ?? 'removed') : what;

const withPlace: ReadonlySet<MailName> = new Set(['confirmed', 'promoted', 'rescheduled', 'day', 'hour']);

/** Where it is: a place, or that it is online. */
function whereOf({ mode, venue }: CalendarEvent, { online }: MailTexts): string {
  const place = venue ? [venue.name, venue.address ?? ''].filter((part) => part !== '').join(', ') : '';
  if (mode === 'in_person') return place;
  return mode === 'online' || place === '' ? online : `${place} · ${online}`;
}

/** What only those who have a seat are told, and how a guest cancels. */
function blockOf({ registration, event, texts, cancelAt }: Written, name: MailName): string | undefined {
  const parts = [
    ...(name === 'calledOff' && event.cancel_note !== null ? [event.cancel_note] : []),
    ...(withPlace.has(name) && registration.status === 'confirmed' && event.join_url !== null
      ? [`${texts.join}: ${event.join_url}`]
      : []),
    ...(cancelAt !== undefined && registration.status !== 'canceled' ? [`${texts.cancel}: ${cancelAt}`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join('\n\n');
}

/** What a mail says, in the language of its reader. */
export function mailContents(written: Written): MailContents {
  const { delivery, event, seller, texts } = written;
  const name = nameOf(delivery);
  const said = texts[name];
  const { timezone, starts_at, slug } = event;
  const date = momentIn(texts.lang, timezone, starts_at);
  // People choose names freely: here each becomes one line.
  const slots = { event: oneLine(event.title), school: oneLine(seller.name), date };
  const place = whereOf(event, texts);
  const rows: MailContents['rows'] = withPlace.has(name)
    ? [[texts.when, date] as const, ...(place === '' ? [] : [[texts.where, oneLine(place)] as const])]
    : [];
  return {
    language: texts.lang,
    subject: filledText(said.subject, slots),
    lead: filledText(said.lead, slots),
    rows,
    block: blockOf(written, name),
    action: texts.action,
    link: `${seller.base_url}/events/${slug}`,
    foot: filledText(said.foot, slots),
    from: slots.school,
  };
}
