import { type EventOf, type EventTypes, personal } from '@lyceum/kernel';
import { z } from 'zod';

/** Why a registration ended. The names are stored. */
export const cancellations = ['self', 'staff', 'event', 'refund', 'sold_out', 'erasure'] as const;

/** Somebody without an account. */
const guest = z.object({
  /** `guest_<UUID>`: whose personal data the registration has. */
  id: z.string(),
  email: personal(z.string(), './id').optional(),
  name: personal(z.string(), './id').optional(),
  /** BCP 47, in which the guest is written to; absent = that of the school. */
  language: z.string().optional(),
});

/** RFC 3339 UTC. */
const starts_at = z.string();

/** The line of the order by which it was bought; absent = it costs nothing. */
const line_id = z.string().optional();

/** A request for a seat. */
const seat = z.object({ event_id: z.string(), request_id: z.string(), member_id: z.string().nullable() });

/** The events of the registration of one person for a calendar event, in a stream of its own. */
export const registrationEvents = {
  /** `queued`: it waits behind others. */
  RegistrationRequested: {
    version: 1,
    data: z.object({
      event_id: z.string(),
      member_id: z.string().nullable(),
      guest: guest.nullable(),
      queued: z.boolean(),
      starts_at,
      line_id,
    }),
  },
  /** A seat was asked for: commerce counts them. */
  SeatRequested: { version: 1, data: seat },
  /** Somebody else had the seat that was asked for; it waits on. */
  SeatRefused: { version: 1, data: z.object({ request_id: z.string() }) },
  /** The seat is not needed any more. */
  SeatReturned: { version: 1, data: z.object({ event_id: z.string(), request_id: z.string() }) },
  /** `promoted`: it waited before. `starts_at`: of the event, as it was then. `uncounted`: nobody counted the seat, as there is no limit. */
  RegistrationConfirmed: {
    version: 1,
    data: z.object({
      event_id: z.string(),
      member_id: z.string().nullable(),
      promoted: z.boolean(),
      starts_at,
      line_id,
      uncounted: z.literal(true).optional(),
    }),
  },
  RegistrationWaitlisted: { version: 1, data: z.object({ event_id: z.string(), starts_at }) },
  /** The event is at another time. */
  RegistrationRescheduled: { version: 1, data: z.object({ from: z.string(), starts_at }) },
  RegistrationCanceled: {
    version: 1,
    data: z.object({
      event_id: z.string(),
      member_id: z.string().nullable(),
      reason: z.enum(cancellations),
      starts_at,
      line_id,
    }),
  },
  AttendeeCheckedIn: { version: 1, data: z.object({ event_id: z.string(), by: z.string() }) },
} as const satisfies EventTypes;

/** An event of a registration. */
export type RegistrationEvent = EventOf<typeof registrationEvents>;

/** Why a registration ended. */
export type Cancellation = (typeof cancellations)[number];

/** Somebody without an account. */
export type Guest = z.output<typeof guest>;
