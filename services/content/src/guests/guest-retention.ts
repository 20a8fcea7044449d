import type { Incoming } from '@lyceum/documents';
import { fold } from '@lyceum/eventlog';
import { isoTime, reject, subjectOfStream, upcast } from '@lyceum/kernel';
import { type ModulePorts, type ProcessManager, forgetOwn } from '@lyceum/service';
import { calendarEventDecider } from '../calendar/calendar-event.ts';
import { type RetentionEvent, retentionEvents } from './retention.events.ts';
import { registrationEvents } from '../registrations/registration.events.ts';

const day = 86_400_000;

/** So long after the end of an event the names and addresses of its guests are kept. */
const kept = 30 * day;

/** A guest of an event who is to be forgotten. */
interface Forgetting {
  readonly guest_id: string;
  readonly event_id: string;
}

/** The timer of a guest. */
type Noted = Readonly<Record<string, Forgetting>>;

const guestOf = (event: Incoming) => {
  if (event.type !== 'RegistrationRequested' || !event.stream.startsWith('registration_')) return undefined;
  const { type, data } = upcast(registrationEvents, event);
  if (type !== 'RegistrationRequested' || !data.guest) return undefined;
  return { guest_id: data.guest.id, event_id: data.event_id, starts_at: data.starts_at };
};

const later = (at: string): string => isoTime(Date.parse(at) + kept);

/**
 * Forgets the guests of events: a month after the end nobody needs to know any more who they were. That somebody was
 * registered stays. An event that has moved is looked at again a month later.
 */
export const guestRetention: ProcessManager<Noted, RetentionEvent, Forgetting, ModulePorts> = {
  name: 'guest-retention',
  events: retentionEvents,
  initial: {},
  evolve: (state, { data }) => ({ ...state, [data.guest_id]: data }),
  correlate: (event) => (guestOf(event) ? event.stream : undefined),
  react(input, state, now) {
    if (input.kind === 'timer') {
      const noted = state[input.timer];
      return noted ? { commands: [noted] } : {};
    }
    if (input.kind === 'rejected') return { set: { [input.command.guest_id]: later(now) } };
    const guest = guestOf(input.event);
    if (!guest) return {};
    const { starts_at, ...noted } = guest;
    return { events: [{ type: 'GuestNoted', data: noted }], set: { [noted.guest_id]: later(starts_at) } };
  },
  async carryOut({ guest_id, event_id }, { tenant }, ports) {
    const { state } = await fold(ports.log, calendarEventDecider, tenant, event_id);
    const isRecent = state !== null && later(state.ends_at) > isoTime(ports.clock.now());
    if (isRecent) return reject('too_early', 'The event is not over for long');
    await forgetOwn(ports, tenant, guest_id);
    return {};
  },
};

/** Whether a stream records that a guest was forgotten: no other service knows of guests. */
export const isForgettingOfGuest = (stream: string): boolean => subjectOfStream(stream)?.startsWith('guest_') ?? false;
