import { z } from 'zod';
import { published } from '../declaration.ts';

const event = z.object({ event_id: z.string() });

/** RFC 3339 UTC. */
const times = z.object({ starts_at: z.string(), ends_at: z.string() }).meta({ id: 'EventTimes' });

const capacity = z.number().int().nullable().meta({ description: 'Seats; null = no limit' });

const registration = z.object({ event_id: z.string(), registration_id: z.string() });

const ofMember = registration.extend({
  member_id: z.string().nullable(),
  line_id: z
    .string()
    .optional()
    .meta({ description: 'The line of the order by which it was bought; left out = it cost nothing' }),
});

const staff = (means: string) => ({ feed: { scope: 'events:read', shows: 'staff', means } }) as const;
const everyone = (means: string) =>
  ({ feed: { scope: 'events:read', shows: 'everyone', means }, offer: 'event' }) as const;
const ofPerson = (means: string) =>
  ({ feed: { scope: 'events:read', shows: 'staff', means, of: 'registration_id' } }) as const;

/** What becomes of the events of the calendar, and of registrations for them. No person is in them but by the id of a member. */
export const calendarFacts = {
  EventCreated: published(1, event.extend({ capacity }), staff('There is a new event, a draft')),
  EventChanged: published(1, event, staff('An event, drafts too, is different')),
  EventRescheduled: published(
    1,
    event.extend({ from: times, to: times }),
    staff('An event, drafts too, is at another time'),
  ),
  EventCapacityChanged: published(1, event.extend({ capacity }), staff('An event, drafts too, has so many seats')),
  EventPublished: published(1, event, everyone('An event became public; EventShown follows with all of it')),
  /** A published event looks like this. */
  EventShown: published(
    1,
    event.extend({
      slug: z.string(),
      title: z.string(),
      summary: z.string().nullable(),
      times,
      timezone: z.string(),
      mode: z.string(),
      venue: z.string().nullable(),
      price: z
        .object({ amount: z.number().int().meta({ description: 'In minor units' }), currency: z.string() })
        .meta({ id: 'ShownEventPrice' })
        .nullable()
        .meta({ description: 'null = it costs nothing' }),
      closes_at: z.string().meta({ description: 'RFC 3339: nobody registers later' }),
    }),
    everyone('A public event looks like this'),
  ),
  EventCanceled: published(1, event, everyone('An event was canceled')),
  EventDeleted: published(1, event, staff('An event that was never public was deleted')),
  RegistrationRequested: published(1, registration, ofPerson('Somebody wants to come to an event')),
  RegistrationConfirmed: published(1, ofMember, ofPerson('Somebody has a seat at an event')),
  RegistrationWaitlisted: published(1, registration, ofPerson('Somebody waits for a seat at an event')),
  RegistrationCanceled: published(
    1,
    ofMember.extend({ reason: z.string() }),
    ofPerson('Somebody does not come to an event'),
  ),
  AttendeeCheckedIn: published(1, registration, ofPerson('Somebody was at an event')),
} as const;
