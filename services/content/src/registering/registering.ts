import { fold } from '@lyceum/eventlog';
import type { ModulePorts } from '@lyceum/service';
import { type Call, Problem, accepted, attempt } from '@lyceum/web';
import { calendarEvents } from '../calendar/calendar-event.resource.ts';
import { closesAt } from '../calendar/calendar-event.rules.ts';
import type { CalendarEvent } from '../calendar/calendar-event.state.ts';
import { seatingDecider, seatingStream } from '../seating/seating.ts';
import { type LimitingPorts, admitGuest, guestKey } from '../guests/guest-limits.ts';
import type { Guest } from '../registrations/registration.events.ts';
import type { RegisterBody, registerBody } from './registration.schema.ts';
import { isLive, registrationDecider, registrationStream } from '../registrations/registration.ts';
import { type Decided, registrationRejections } from './registration.write.ts';

/** What registering is done with. */
export type RegisteringPorts = LimitingPorts & Pick<ModulePorts, 'log' | 'ids' | 'vault'>;

type Registering = Omit<Call<{ body: typeof registerBody }>, 'params' | 'query'>;

/** Why nobody can register for an event now. */
function refuseLate(event: CalendarEvent, now: string): void {
  const { status, starts_at } = event;
  if (status !== 'published') throw new Problem('registration_closed', 'The event was canceled');
  if (now >= starts_at) throw new Problem('started');
  if (now >= closesAt(event)) throw new Problem('registration_closed', 'The time to register is over');
}

function refuseCostly({ price }: CalendarEvent, id: string): void {
  if (price !== null)
    throw new Problem('invalid_state', `It is not free: buy it with POST /api/checkout, item_type event, ${id}`);
}

/** Who registers: a member by their token, a guest by their address. Throws the problem when it is neither, or both. */
function statedBy({ principal, body = {} }: { readonly principal: Call['principal']; readonly body: RegisterBody }) {
  const wrong = (code: string, message: string) =>
    new Problem('validation_failed', 'It must be clear who registers', {
      details: [{ path: 'email', code, message }],
    });
  const { email, name, language } = body;
  if (principal) {
    if (email !== undefined || name !== undefined || language !== undefined)
      throw wrong('not_for_members', 'the token says who registers');
    return { member: principal.subject };
  }
  if (email === undefined) throw wrong('missing', 'a guest says where to write to');
  return { email, name, language };
}

interface Person {
  readonly key: string;
  readonly member_id: string | null;
  readonly guest: Guest | null;
}

async function personOf(ports: RegisteringPorts, call: Registering): Promise<Person> {
  const stated = statedBy(call);
  if ('member' in stated) return { key: stated.member, member_id: stated.member, guest: null };
  const { email, name, language } = stated;
  const key = await guestKey(ports.vault, call.school, email);
  await admitGuest(ports, call, key);
  const named = { ...(name === undefined ? {} : { name }), ...(language === undefined ? {} : { language }) };
  return { key, member_id: null, guest: { id: ports.ids.next('guest'), email, ...named } };
}

/** A registration, and whether it is new. */
export type Registered = Decided & { readonly isNew: boolean };

/**
 * Registers who calls for an event, unless they are registered. Whoever comes while others wait waits behind them. Throws
 * the problem why nobody can.
 */
export async function registerFor(ports: RegisteringPorts, call: Registering, ref: string): Promise<Registered> {
  const { school, at } = call;
  const reading = { ...call, principal: undefined, view: 'anonymous' } as const;
  const { id, thing } = await calendarEvents.load(reading, ref, ports);
  refuseLate(thing, at);
  refuseCostly(thing, id);
  const { key, ...person } = await personOf(ports, call);
  const stream = registrationStream(id, key);
  const before = await fold(ports.log, registrationDecider, school, stream);
  const source = async () => {
    const { thing: event, version } = await calendarEvents.load(reading, id, ports);
    refuseLate(event, at);
    refuseCostly(event, id);
    const { state: seats } = await fold(ports.log, seatingDecider, school, seatingStream(id));
    const isFull = event.capacity !== null && seats.taken >= event.capacity;
    if (isFull && !event.waitlist && !isLive(before.state)) throw new Problem('sold_out');
    const queued = seats.waiting.length > 0;
    const { starts_at } = event;
    const command = { type: 'Register', id: stream, event_id: id, ...person, queued, starts_at } as const;
    // Who registers while the event is changed is told of the change.
    return { command, expectedVersions: [{ stream: id, version }] };
  };
  const done = accepted(await attempt(call, ports, registrationDecider, stream, source), registrationRejections);
  if (!done.state) throw new Error('somebody registered, and there is no registration');
  return { ...done, state: done.state, isNew: done.events.length > 0 };
}
