import type { Incoming } from '@lyceum/documents';
import { isoTime, upcast } from '@lyceum/kernel';
import type { MailDelivery } from '../mail-deliveries/mail.events.ts';
import { registrationEvents } from '../registrations/registration.events.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** A mail that cannot be sent for so long is old news. */
const lifetime = 3 * day;

/** So long before the beginning people are reminded. */
const reminders = { day, hour } as const;

const later = (at: string, milliseconds: number): string => isoTime(Date.parse(at) + milliseconds);

/** Reminders of an event that begins then, as far as there is still time: never at once, never after the beginning. */
const remindersOf = ({ stream: about, version: told, at: now }: Incoming, starts_at: string): readonly MailDelivery[] =>
  (['day', 'hour'] as const).flatMap((what) => {
    const from = later(starts_at, -reminders[what]);
    return from > now ? [{ what, about, part: starts_at, told, since: from, from, until: starts_at }] : [];
  });

/** What an event obliges the service to write to people. Pure. */
export function dueMails(event: Incoming): readonly MailDelivery[] {
  const { stream: about, at: since } = event;
  if (!about.startsWith('registration_') || !Object.hasOwn(registrationEvents, event.type)) return [];
  const { type, data } = upcast(registrationEvents, event);
  const mail = (what: MailDelivery['what'], part: string): MailDelivery => ({
    what,
    about,
    part,
    since,
    until: later(since, lifetime),
  });
  switch (type) {
    case 'RegistrationConfirmed':
      return [mail(data.promoted ? 'promoted' : 'confirmed', data.starts_at), ...remindersOf(event, data.starts_at)];
    case 'RegistrationWaitlisted':
      return [mail('waitlisted', data.starts_at)];
    case 'RegistrationRescheduled':
      return [{ ...mail('rescheduled', data.starts_at), told: event.version }, ...remindersOf(event, data.starts_at)];
    case 'RegistrationCanceled':
      return data.reason === 'erasure' ? [] : [mail('canceled', data.reason)];
    default:
      return [];
  }
}
