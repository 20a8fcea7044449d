import { line } from '@lyceum/contracts';
import { membersOf, paramsOf } from '@lyceum/service';
import { z } from 'zod';
import { eventStatuses } from '../calendar/calendar-event.fields.ts';
import { cancellations } from '../registrations/registration.events.ts';
import { registrationStatuses } from '../registrations/registration.state.ts';

const members = membersOf('registration', 'registration');
const time = z.iso.datetime().nullable();

const status = z.enum(registrationStatuses).meta({
  description:
    'pending = whether there is a seat is being asked. waitlisted = all seats are taken: it gets one when one is free.',
});

const times = {
  requested_at: z.iso.datetime(),
  confirmed_at: time,
  canceled_at: time,
  cancellation: z
    .enum(cancellations)
    .nullable()
    .meta({ description: 'Who or what canceled it; sold_out = no seat was left.' }),
  checked_in_at: time,
};

const bought = z.boolean().meta({ description: 'A refund of its order cancels it, nothing else.' });

/** A registration as the staff of the event read it. */
export const attendeeReply = z
  .object({
    ...members.first,
    event_id: z.string(),
    member_id: z.string().nullable().meta({ description: 'null = a guest.' }),
    name: z.string().nullable(),
    email: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'For owners and admins whose token holds `members:read`, too.' }),
    status,
    bought,
    ...times,
    ...members.last,
  })
  .meta({ id: 'EventAttendee', description: 'A registration for an event, as the staff see it.' });

/** A registration as its member reads it. */
export const ownRegistrationReply = z
  .object({
    ...members.first,
    event_id: z.string(),
    event: z
      .object({
        title: z.string(),
        slug: z.string(),
        starts_at: z.iso.datetime(),
        ends_at: z.iso.datetime(),
        timezone: z.string(),
        status: z.enum(eventStatuses),
      })
      .nullable()
      .meta({ id: 'RegisteredEvent', description: 'null while the list of events does not have it.' }),
    status,
    bought,
    ...times,
    ...members.last,
  })
  .meta({ id: 'OwnRegistration', description: 'A registration of yours for an event.' });

/** A registration as a guest sees it who has the link of their mail. */
export const guestRegistrationReply = z
  .object({
    object: members.first.object,
    status,
    waitlist_position: z.int().min(1).nullable(),
    may_cancel: z.boolean(),
    event: z.object({
      title: z.string(),
      slug: z.string(),
      starts_at: z.iso.datetime(),
      ends_at: z.iso.datetime(),
      timezone: z.string(),
      mode: z.string(),
      venue: z.object({ name: z.string(), address: z.string().nullable() }).nullable(),
      status: z.enum(eventStatuses),
    }),
    join_url: z.string().nullable(),
  })
  .meta({ id: 'GuestRegistration', description: 'A registration of a guest, by the link in their mail.' });

/** What comes of registering. */
export const registeredReply = z
  .object({
    id: members.first.id,
    object: members.first.object,
    event_id: z.string(),
    status,
    waitlist_position: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: '1 = the next seat is theirs; null = does not wait.' }),
    view: members.last.view,
  })
  .meta({ id: 'Registered', description: 'What came of a registration.' });

const languageTag = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

/** The body that registers. */
export const registerBody = z
  .strictObject({
    email: z.email().max(254).optional().meta({ description: 'Of a guest, who needs one; not with a token.' }),
    name: line(1, 200).optional().meta({ description: 'Of a guest.' }),
    language: z
      .string()
      .max(35)
      .regex(languageTag, 'must be a language tag')
      .optional()
      .meta({ description: 'BCP 47: in which a guest is written to; otherwise in that of the school.' }),
  })
  .optional()
  .meta({ id: 'RegisterForEvent', example: { email: 'rita@example.org', name: 'Rita' } });

/** Who registers, after parsing. */
export type RegisterBody = z.output<typeof registerBody>;

/** The path parameters. */
export const eventParams = paramsOf('event');
export const ownParams = paramsOf('registration', false);
export const attendeeParams = z.object({ ...eventParams.shape, ...ownParams.shape });
