import { currencyCode, imageAddress, imageInput, richTextOrNone, slug } from '@lyceum/contracts';
import { membersOf, mergePatch, staff } from '@lyceum/service';
import { z } from 'zod';
import { registrationStatuses } from '../registrations/registration.ts';
import { capacity, eventFields, eventStatuses, eventTimes, materialInputs } from './calendar-event.fields.ts';

const members = membersOf('event', 'event');
const { join_url, waitlist, ...open } = eventFields.shape;
const member = { sees: 'member' } as const;

const amount = z.int().min(0).meta({ description: 'In minor units of the currency.', example: 1500 });

const money = z.object({ amount, currency: z.string() }).nullable().meta({
  id: 'EventPrice',
  description: 'null = it costs nothing.',
});

const material = z
  .object({
    file_id: z.string(),
    name: z.string(),
    size: z.int(),
    type: z.string(),
    url: z.string().nullable().meta({ description: 'Signed: whoever has it may read the file until it ends.' }),
    url_expires_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'EventMaterial' });

/** An event of the calendar as clients read it. */
export const eventReply = z
  .object({
    ...members.first,
    ...open,
    ...eventTimes,
    cover: imageAddress().nullable(),
    slug,
    price: money,
    published_at: z.iso.datetime().nullable().meta({ description: 'First publication.' }),
    status: z.enum(eventStatuses).meta({ description: 'ended follows from the time.' }),
    seats: z.enum(['none', 'few', 'available']).meta({ description: 'few = a tenth of the capacity or less.' }),
    registration: z
      .enum(['open', 'waitlist', 'sold_out', 'closed'])
      .meta({ description: 'What comes of registering now: a seat, a place on the waitlist, or nothing.' }),
    cancel_note: z.string().nullable().meta({ description: 'Why it was canceled.' }),
    own_registration: z
      .object({ id: z.string(), status: z.enum(registrationStatuses) })
      .nullable()
      .meta({ id: 'OwnEventRegistration', ...member, description: 'Of the member who asks; null = none.' }),
    join_url: join_url.meta({ ...member, description: 'For those who are registered.' }),
    materials: z.array(material).meta({ ...member, description: 'Files, for those who are registered.' }),
    capacity: capacity.meta(staff),
    seats_taken: z
      .int()
      .min(0)
      .meta({ ...staff, description: 'As far as they are counted.' }),
    waitlist: waitlist.meta(staff),
    ...members.last,
  })
  .meta({ id: 'Event', description: 'An event of the school’s calendar.' });

/** An event after parsing. */
export type EventReply = z.output<typeof eventReply>;

/** An event in a list. */
export const eventItem = eventReply
  .omit({ description: true, materials: true, join_url: true, own_registration: true })
  .meta({ id: 'EventItem', description: 'An event in a list: without its description.' });

const priceInput = z
  .strictObject({
    amount,
    currency: currencyCode().optional().meta({ description: 'Default, and only value: the currency of the school.' }),
  })
  .nullable()
  .meta({ id: 'SetEventPrice', description: 'null, or nothing to pay = it costs nothing.' });

const field = eventFields.shape;

/** What may be set. Null clears; a list replaces the list. */
const settable = {
  slug: slug.optional(),
  summary: field.summary.optional(),
  description: richTextOrNone.optional(),
  cover: imageInput().nullable().optional(),
  timezone: field.timezone.optional(),
  mode: field.mode.optional(),
  venue: field.venue.optional(),
  lecturer_ids: field.lecturer_ids.nullable().optional(),
  course_id: field.course_id.optional(),
  registration_closes_at: field.registration_closes_at.optional(),
  waitlist: field.waitlist.nullable().optional(),
  join_url: field.join_url.optional(),
  materials: materialInputs.nullable().optional(),
  price: priceInput.optional(),
  capacity: capacity.optional(),
};

/** The body that creates an event. */
export const createEventBody = z.strictObject({ title: field.title, ...eventTimes, ...settable }).meta({
  id: 'CreateEvent',
  description:
    'Title and times are needed. It is online, free and without a limit unless stated; its time zone is the school’s.',
  example: {
    title: 'Lantern evening',
    starts_at: '2026-12-12T18:00:00+00:00',
    ends_at: '2026-12-12T20:00:00+00:00',
    timezone: 'Europe/Lisbon',
    mode: 'in_person',
    venue: { name: 'Lantern workshop', address: null },
    capacity: 12,
  },
});

/** The body that changes an event. */
export const changeEventBody = mergePatch(
  {
    title: field.title.optional(),
    starts_at: eventTimes.starts_at.optional(),
    ends_at: eventTimes.ends_at.optional(),
    ...settable,
  },
  { id: 'ChangeEvent', example: { capacity: 20 } },
);

/** The body that creates an event, after parsing. */
export type CreateEventBody = z.output<typeof createEventBody>;

/** The body that changes an event, after parsing. */
export type ChangeEventBody = z.output<typeof changeEventBody>;
