import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import type { CalendarEvent } from '../calendar/calendar-event.state.ts';

/** What an event of a calendar file is made of: only what everybody may know. */
export type ListedEvent = Pick<
  CalendarEvent,
  'title' | 'summary' | 'slug' | 'status' | 'starts_at' | 'ends_at' | 'mode' | 'venue' | 'sequence' | 'updated_at'
> & { readonly id: string };

/** Whose calendar it is. */
export interface CalendarOf {
  readonly name: string;
  /** What addresses of the school begin with. */
  readonly issuer: string;
}

/** Seconds after which programs ask again. */
const refresh = 3_600;

/** Programs show a line here: no control characters, whoever wrote it. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();

/** Line breaks stay, other control characters do not. */
const lines = (text: string): string => text.replaceAll(/\r\n?/g, '\n').replaceAll(/(?!\n)\p{Cc}/gu, ' ');

function locationOf({ venue, mode }: ListedEvent): string | undefined {
  if (!venue) return mode === 'in_person' ? undefined : 'Online';
  return oneLine([venue.name, venue.address ?? ''].filter((part) => part !== '').join(', '));
}

/**
 * Events as iCalendar: times in UTC, so that no program needs to know a time zone. An event keeps its UID, and its SEQUENCE
 * grows with each new time and when it is canceled, so that programs move it or strike it out.
 * @see RFC 5545 §3.8.4.7, §3.8.7.4
 */
export function icalendar({ name, issuer }: CalendarOf, events: readonly ListedEvent[]): string {
  const calendar = ical({
    name: oneLine(name),
    prodId: { company: 'Lyceum', product: 'Calendar', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: refresh,
    url: `${issuer}/events/calendar.ics`,
  });
  for (const event of events) {
    const { id, title, summary, slug, status, starts_at, ends_at, sequence, updated_at } = event;
    const url = `${issuer}/events/${slug}`;
    calendar.createEvent({
      id,
      start: new Date(starts_at),
      end: new Date(ends_at),
      stamp: new Date(updated_at),
      lastModified: new Date(updated_at),
      sequence,
      summary: oneLine(title),
      description: { plain: lines(summary ? `${summary}\n\n${url}` : url) },
      location: locationOf(event) ?? null,
      url,
      status: status === 'canceled' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    });
  }
  return `${calendar.toString()}\r\n`;
}
