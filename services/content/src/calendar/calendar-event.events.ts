import { fileReferenceEvents, richText } from '@lyceum/contracts';
import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';
import { eventModes } from './calendar-event.fields.ts';

const nothing = z.object({});

/** RFC 3339 UTC. */
const times = z.object({ starts_at: z.string(), ends_at: z.string() });

/** In minor units; null = it costs nothing. */
const price = z.object({ amount: z.int(), currency: z.string() }).nullable();

/** A file for those who are registered. */
const material = z.object({ file_id: z.string(), name: z.string(), size: z.int(), type: z.string() });

/** What describes a calendar event, as it is stored: the API asks for more. */
const fields = z.object({
  title: z.string(),
  summary: z.string().nullable(),
  description: richText,
  timezone: z.string(),
  mode: z.enum(eventModes),
  venue: z.object({ name: z.string(), address: z.string().nullable() }).nullable(),
  lecturer_ids: z.array(z.string()),
  course_id: z.string().nullable(),
  registration_closes_at: z.string().nullable(),
  waitlist: z.boolean(),
  join_url: z.string().nullable(),
  price,
  materials: z.array(material),
  /** The id of a file of the school, or an address elsewhere. */
  cover: z.string().nullable(),
});

/** The events of an event of the calendar, in the stream named after its id. */
export const calendarEventEvents = {
  EventCreated: {
    version: 1,
    data: z.object({
      event_id: z.string(),
      slug: z.string(),
      fields,
      times,
      capacity: z.int().nullable(),
      created_by: z.string(),
    }),
  },
  EventChanged: { version: 1, data: z.object({ fields: fields.partial() }) },
  EventSlugChanged: { version: 1, data: z.object({ slug: z.string() }) },
  EventRescheduled: { version: 1, data: z.object({ from: times, to: times }) },
  EventCapacityChanged: { version: 1, data: z.object({ from: z.int().nullable(), capacity: z.int().nullable() }) },
  EventPublished: { version: 1, data: nothing },
  /** What others show and sell of it while it is public. Follows a publication, and every change while it is published. */
  EventShown: {
    version: 1,
    data: z.object({
      slug: z.string(),
      title: z.string(),
      summary: z.string().nullable(),
      times,
      timezone: z.string(),
      mode: z.string(),
      venue: z.string().nullable(),
      price,
      closes_at: z.string(),
    }),
  },
  /** `note`: what those who are registered are told. */
  EventCanceled: { version: 1, data: z.object({ note: z.string().nullable() }) },
  EventDeleted: { version: 1, data: nothing },
  ...fileReferenceEvents,
} as const satisfies EventTypes;

/** An event of an event of the calendar. */
export type CalendarEventEvent = EventOf<typeof calendarEventEvents>;

/** What describes a calendar event, as it is stored. */
export type StoredFields = z.output<typeof fields>;

/** What an event costs. */
export type EventPrice = z.output<typeof price>;

/** A file for those who are registered. */
export type Material = z.output<typeof material>;
