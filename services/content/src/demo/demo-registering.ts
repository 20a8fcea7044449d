import { demoFileId, demoLecturerId } from '@lyceum/contracts';
import { Unavailable, fold } from '@lyceum/eventlog';
import { isoTime, uuidv5 } from '@lyceum/kernel';
import { setTimeout as delay } from 'node:timers/promises';
import { newEvent } from '../calendar/calendar-event.input.ts';
import { createEventBody } from '../calendar/calendar-event.schema.ts';
import { calendarEventDecider } from '../calendar/calendar-event.ts';
import { guestKey } from '../guests/guest-limits.ts';
import { type RegistrationCommand, registrationDecider, registrationStream } from '../registrations/registration.ts';
import { knownSchool } from '../schools/known-school.ts';
import { seatingDecider, seatingStream } from '../seating/seating.ts';
import { type DemoEvent, type DemoRegistration, demoEvents } from './texts/demo-events.ts';
import { type DemoSchool, type DemoWriting, later } from './demo-writing.ts';

const [hour, day] = [3_600_000, 86_400_000];
/** Hours before an event at which it is public, and at which the first registers. */
const [publicBefore, openBefore] = [45 * 24, 40 * 24];

/** The id of an event of a demo school: always the same. */
export const demoEventId = (school: string, slug: string): string => `event_${uuidv5('demo-event', school, slug)}`;

/** An event that is written, and when it is. */
interface Written {
  readonly id: string;
  readonly demo: DemoEvent;
  readonly starts_at: string;
  readonly capacity: number | null;
}

/** Makes the event and publishes it; undefined where it is not possible any more. */
async function publish(school: DemoSchool, writing: DemoWriting, demo: DemoEvent): Promise<Written | undefined> {
  const { ports, id: tenant } = school;
  const stream = demoEventId(tenant, demo.body.slug);
  const today = new Date(ports.clock.now()).setUTCHours(0, 0, 0, 0);
  const begins = today + demo.inDays * day + demo.hour * hour;
  const times = { starts_at: isoTime(begins), ends_at: isoTime(begins + demo.hours * hour) };
  const known = await knownSchool(ports, tenant);
  const { slug, ...said } = demo.body;
  const body = createEventBody.parse({
    ...said,
    ...times,
    lecturer_ids: [demoLecturerId(tenant, demo.lecturer)],
  });
  const made = newEvent(body, known, demo.cover ? { cover: demoFileId(tenant, demo.cover) } : {});
  const by = { by: school.account(demo.by), currency: known.currency };
  const command = { type: 'CreateEvent', id: stream, slug, ...made, ...by } as const;
  const created = await writing.do(calendarEventDecider, {
    stream,
    command,
    at: later(times.starts_at, -publicBefore),
  });
  if (!created) return undefined;
  // As it was written first: today may be another day than then.
  const { starts_at, capacity } = created;
  const now = later(starts_at, -publicBefore);
  const publishing = { type: 'PublishEvent', now } as const;
  const event = await writing.do(calendarEventDecider, { stream, command: publishing, at: now });
  return event ? { id: stream, demo, starts_at, capacity } : undefined;
}

/** Who registers, and what they are known by; undefined for a member who is erased. */
async function personOf(school: DemoSchool, event: string, { member, guest }: DemoRegistration) {
  if (member !== undefined) {
    if (await school.isErased(member)) return undefined;
    const member_id = school.account(member);
    return { key: member_id, member_id, guest: null };
  }
  if (!guest) throw new Error('nobody registers');
  const key = await guestKey(school.ports.vault, school.id, guest.email);
  const id = `guest_${uuidv5('demo-guest', event, guest.email)}`;
  return { key, member_id: null, guest: { id, ...guest } };
}

/** What becomes of a registration, hours before the event begins; what is after it is negative. */
function fatesOf(
  { demo, capacity }: Written,
  { fate }: DemoRegistration,
  request_id: string,
  school: DemoSchool,
): readonly (readonly [number, RegistrationCommand])[] {
  if (fate === 'waits') return [[0, { type: 'Queue' }]];
  const confirmed = [0, { type: 'ConfirmSeat', request_id, uncounted: capacity === null }] as const;
  if (fate === 'came') return [confirmed, [1, { type: 'CheckIn', by: school.account(demo.by) }]];
  if (fate === 'canceled') return [confirmed, [2 * 24, { type: 'Cancel', reason: 'self' }]];
  const { canceled } = demo;
  return canceled ? [confirmed, [canceled.before * 24, { type: 'Cancel', reason: 'event' }]] : [confirmed];
}

/** Registers somebody, with what became of it. */
async function register(
  school: DemoSchool,
  writing: DemoWriting,
  event: Written,
  [index, registration]: readonly [number, DemoRegistration],
): Promise<void> {
  const person = await personOf(school, event.id, registration);
  if (!person) return;
  const { key, ...who } = person;
  const { id: event_id, starts_at } = event;
  const id = registrationStream(event_id, key);
  const asked = later(starts_at, index * 24 - openBefore);
  const queued = registration.fate === 'waits';
  const command = { type: 'Register', id, event_id, ...who, queued, starts_at } as const;
  const requested = await writing.do(registrationDecider, { stream: id, command, at: asked });
  if (!requested) return;
  for (const [before, fate] of fatesOf(event, registration, requested.request_id ?? '', school)) {
    const at = before === 0 ? asked : later(starts_at, -before);
    if (!(await writing.do(registrationDecider, { stream: id, command: fate, at }))) return;
  }
  if (!queued) return;
  const waiting = { registration_id: id, requested_at: requested.requested_at };
  const joined = { type: 'JoinWaitlist', waiting, denied: true } as const;
  await writing.do(seatingDecider, { stream: seatingStream(event_id), command: joined, at: asked, step: `join ${id}` });
}

async function cancel(writing: DemoWriting, { id: stream, demo, starts_at }: Written): Promise<void> {
  if (!demo.canceled) return;
  const { before, note } = demo.canceled;
  const at = later(starts_at, -before * 24);
  await writing.do(calendarEventDecider, { stream, command: { type: 'CancelEvent', note, now: at }, at });
}

const waits = ([, { fate }]: readonly [number, DemoRegistration]): boolean => fate === 'waits';

/** Writes the events of a demo school. Long before people register for them, so that commerce knows what it counts seats of. */
export async function announceEvents(school: DemoSchool): Promise<void> {
  for (const demo of demoEvents[school.slug] ?? [])
    await school.write(async (writing) => void (await publish(school, writing, demo)));
}

/**
 * Writes who registered for the events of a demo school, as commerce answered them then: it hears of the requests afterwards,
 * takes the seats, and what it says of them is found done.
 */
export async function holdEvents(school: DemoSchool): Promise<void> {
  for (const demo of demoEvents[school.slug] ?? [])
    await school.write(async (writing) => {
      const event = await publish(school, writing, demo);
      if (!event) return;
      const all = [...demo.registrations.entries()].filter((each) => !waits(each));
      for (const registration of all) await register(school, writing, event, registration);
      await cancel(writing, event);
    });
}

/** Milliseconds in which commerce counts the seats of an event, and between two looks. */
const [patience, pause] = [10_000, 100];

/** Waits until commerce has counted the seats. Throws while it has counted none; one that is returned meanwhile stays free. */
async function untilCounted({ ports, id: school }: DemoSchool, event: string, seats: number): Promise<boolean> {
  for (const end = performance.now() + patience; ; await delay(pause)) {
    const { state } = await fold(ports.log, seatingDecider, school, seatingStream(event));
    if (state.limit !== null && state.taken >= Math.min(seats, state.limit)) return true;
    if (performance.now() < end) continue;
    if (state.limit === null) throw new Unavailable('the seats of the events of the demo are not counted yet');
    return false;
  }
}

/** Those who have a seat by the demo, and the registrations of those who wait. */
async function expectedAt(school: DemoSchool, event: string, all: readonly DemoRegistration[]) {
  const people = await Promise.all(all.map((each) => personOf(school, event, each)));
  const known = all.flatMap(({ fate }, index) => {
    const person = people[index];
    return person ? [{ waits: fate === 'waits', id: registrationStream(event, person.key) }] : [];
  });
  const waiting = known.filter((each) => each.waits);
  return { seats: known.length - waiting.length, last: waiting.at(-1)?.id };
}

/** Lets those wait for whom there is no seat: once the seats are taken, as a seat that is not counted yet is offered to them. */
async function fillWaitlist(school: DemoSchool, demo: DemoEvent): Promise<void> {
  const id = demoEventId(school.id, demo.body.slug);
  const { state: event } = await fold(school.ports.log, calendarEventDecider, school.id, id);
  const { seats, last } = await expectedAt(school, id, demo.registrations);
  if (event?.status !== 'published' || last === undefined || (await school.isDone('Register', last))) return;
  if (!(await untilCounted(school, id, seats))) return;
  const { starts_at, capacity } = event;
  await school.write(async (writing) => {
    for (const each of [...demo.registrations.entries()].filter(waits))
      await register(school, writing, { id, demo, starts_at, capacity }, each);
  });
}

/** Writes who waits for a seat of an event, after all that is to be taken. */
export async function fillWaitlists(school: DemoSchool): Promise<void> {
  for (const demo of demoEvents[school.slug] ?? []) await fillWaitlist(school, demo);
}
