import { type PersonalData, type Slice, aggregate, rowsAbout, streamsOf } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { registrationEvents } from '../registrations/registration.events.ts';
import { guestRetention, isForgettingOfGuest } from '../guests/guest-retention.ts';
import { registrantErased } from './registration.erasure.ts';
import { registrationFact } from '../registrations/registration.facts.ts';
import { exportAttendees } from './registration.export.ts';
import { guestOperations } from './registration.guest.ts';
import { ownRegistrationOperations } from './registration.own.ts';
import { eventChanges } from '../registration-seats/registration.spreading.ts';
import { boughtPlaces } from '../registration-seats/registration.buying.ts';
import { attendeeOperations } from './registration.staff.ts';
import { registrationOfRow, registrationProjection, registrations } from '../registrations/registration.rows.ts';
import { seatReactions } from '../registration-seats/registration.seats.ts';
import { registrationDecider } from '../registrations/registration.ts';

/** The events that a person registered for, and what became of it. */
const registrationData: PersonalData<Ports> = {
  file: 'event-registrations',
  read: (of, ports, after) =>
    rowsAbout(ports, of, { collection: registrations, field: 'member_id' }, after, ({ id, body }) => {
      const {
        member_id: _self,
        guest: _none,
        version: _version,
        requests: _requests,
        told: _told,
        uncounted: _uncounted,
        ...kept
      } = registrationOfRow(body);
      return { id, ...kept };
    }),
};

/** Who comes to the events of a school. */
export const registrationSlice: Slice = {
  name: 'registrations',
  operations: (ports) => [
    ...ownRegistrationOperations(ports),
    ...attendeeOperations(ports),
    ...guestOperations(ports),
    exportAttendees(ports),
  ],
  events: registrationEvents,
  aggregates: [aggregate(streamsOf('registration_'), registrationDecider)],
  projections: [registrationProjection],
  reactions: [...seatReactions, eventChanges, boughtPlaces],
  processes: [{ manager: guestRetention }],
  toFact: registrationFact,
  // Guests are known here only.
  isPrivate: ({ stream }) => isForgettingOfGuest(stream),
  erased: registrantErased,
  personalData: [registrationData],
};
