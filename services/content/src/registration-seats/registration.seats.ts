import { execute, fold } from '@lyceum/eventlog';
import type { Incoming } from '@lyceum/documents';
import { type Meta, isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import type { ModulePorts, Reaction } from '@lyceum/service';
import { z } from 'zod';
import { calendarEventDecider } from '../calendar/calendar-event.ts';
import { type SeatingCommand, seatedEvent, seatingDecider, seatingStream } from '../seating/seating.ts';
import { registrationEvents } from '../registrations/registration.events.ts';
import { type RegistrationCommand, registrationDecider, registrationOf } from '../registrations/registration.ts';

/** With what registrations are told something. */
export type SeatPorts = Pick<ModulePorts, 'log' | 'clock'>;

const meta: Meta = { actor: 'system' };

/** What is done for an event: commits are named by it, so that a repetition writes nothing. */
export type Cause = Pick<Incoming, 'tenant' | 'stream' | 'version' | 'type'>;

const orderOf = ({ clock }: SeatPorts, { tenant, stream, version }: Cause, step: string, about: string) => ({
  tenant,
  at: isoTime(clock.now()),
  meta,
  commitId: uuidv5('registrations', step, tenant, stream, version, about),
});

/** Brings a command to the registration of this id; undefined when it is refused. */
export async function tellRegistration(ports: SeatPorts, cause: Cause, id: string, command: RegistrationCommand) {
  const request = { ...orderOf(ports, cause, command.type, id), stream: id, command };
  const done = await execute(ports.log, registrationDecider, request);
  return isRejection(done) ? undefined : done.state;
}

/** Brings a command to who waits for the seats of an event. */
async function tellSeating(ports: SeatPorts, cause: Cause, event: string, command: SeatingCommand, about = '') {
  const request = { ...orderOf(ports, cause, command.type, event + about), stream: seatingStream(event), command };
  const done = await execute(ports.log, seatingDecider, request);
  if (isRejection(done)) throw new Error('what is said of seats is never refused');
}

const answerOf = z.object({
  item_type: z.string(),
  item_id: z.string(),
  request_id: z.string().optional(),
  taken: z.int().optional(),
  limit: z.int().nullable(),
});

type Answer = z.output<typeof answerOf>;

async function mayWait({ log }: SeatPorts, tenant: string, event: string): Promise<boolean> {
  const { state } = await fold(log, calendarEventDecider, tenant, event);
  return state?.status === 'published' && state.waitlist && state.price === null;
}

/** Somebody has no seat: they wait, where people may, and where they waited before. */
async function denied(ports: SeatPorts, cause: Cause, event: string, id: string, request_id: string) {
  const waitlist = await mayWait(ports, cause.tenant, event);
  const state = await tellRegistration(ports, cause, id, { type: 'DenySeat', request_id, waitlist });
  if (state?.status !== 'waitlisted' || state.request_id !== null) return [];
  const waiting = { registration_id: id, requested_at: state.requested_at };
  return [
    { type: 'DenyPromotion', registration_id: id },
    { type: 'JoinWaitlist', waiting, denied: true },
  ] as const;
}

/** What takes somebody from those who wait, unless they wait by now: what is told may be told again later. */
async function leaving({ log }: SeatPorts, tenant: string, id: string) {
  const { state } = await fold(log, registrationDecider, tenant, id);
  return state?.status === 'waitlisted' ? [] : [{ type: 'LeaveWaitlist', registration_id: id } as const];
}

/** Takes somebody from those who wait, unless they wait by now. */
async function leave(ports: SeatPorts, cause: Cause, event: string, id: string): Promise<void> {
  for (const left of await leaving(ports, cause.tenant, id)) await tellSeating(ports, cause, event, left);
}

/** What an answer to the request of a registration leads to among those who wait. */
async function answered(event: Incoming, ports: SeatPorts, { item_id, request_id, limit }: Answer) {
  const id = request_id === undefined ? undefined : registrationOf(request_id);
  if (id === undefined || request_id === undefined) return [];
  if (event.type === 'SeatDenied') return denied(ports, event, item_id, id, request_id);
  if (event.type !== 'SeatTaken') return [];
  await tellRegistration(ports, event, id, { type: 'ConfirmSeat', request_id, uncounted: limit === null });
  return leaving(ports, event.tenant, id);
}

/** What commerce says of the seats of events, in its order. */
async function counted(event: Incoming, ports: SeatPorts): Promise<void> {
  const answer = answerOf.parse(event.data);
  const { item_type, item_id, taken, limit } = answer;
  if (item_type !== 'event') return;
  const freed = event.type === 'SeatReleased' || event.type === 'SeatLimitSet';
  const count = { type: 'CountSeats', limit, freed } as const;
  const news = [...(await answered(event, ports, answer)), taken === undefined ? count : { ...count, taken }];
  await tellSeating(ports, event, item_id, { type: 'HearAnswer', news });
}

const counting: Reaction = {
  name: 'seats-of-events',
  source: 'commerce',
  events: ['SeatTaken', 'SeatDenied', 'SeatReleased', 'SeatLimitSet'],
  inOrderOf: ({ data }) => answerOf.parse(data).item_id,
  perform: counted,
};

const requested = registrationEvents.RegistrationRequested.data.pick({ event_id: true, queued: true });
const ofEvent = z.object({ event_id: z.string() });
const promoted = z.object({ registration_id: z.string() });

/** Whoever registers while others wait waits behind them. */
async function queue(event: Incoming, ports: SeatPorts): Promise<void> {
  const { event_id, queued } = requested.parse(event.data);
  if (!queued) return;
  const state = await tellRegistration(ports, event, event.stream, { type: 'Queue' });
  if (state?.status !== 'waitlisted' || state.request_id !== null) return;
  const waiting = { registration_id: event.stream, requested_at: state.requested_at };
  await tellSeating(ports, event, event_id, { type: 'JoinWaitlist', waiting, denied: false });
}

/** Whether an event is still to come: later nobody is told any more that there is a seat. */
async function isToCome({ log, clock }: SeatPorts, tenant: string, event: string): Promise<boolean> {
  const { state } = await fold(log, calendarEventDecider, tenant, event);
  return state?.status === 'published' && state.starts_at > isoTime(clock.now());
}

/** Whoever has waited longest asks for a seat; who waits no more makes room for the next. */
async function promote(event: Incoming, ports: SeatPorts): Promise<void> {
  const { registration_id: id } = promoted.parse(event.data);
  if (!(await isToCome(ports, event.tenant, seatedEvent(event.stream)))) return;
  const asked = await tellRegistration(ports, event, id, { type: 'RequestSeat', id });
  if (!asked) await leave(ports, event, seatedEvent(event.stream), id);
}

const queueing: Reaction = {
  name: 'waitlists',
  events: ['RegistrationRequested', 'RegistrationCanceled', 'PromotionBegun'],
  async perform(event, ports) {
    if (event.type === 'RegistrationRequested') return queue(event, ports);
    if (event.type === 'PromotionBegun') return promote(event, ports);
    const { event_id } = ofEvent.parse(event.data);
    return leave(ports, event, event_id, event.stream);
  },
};

/** What follows from the answers of commerce, and for those who wait. */
export const seatReactions: readonly Reaction[] = [counting, queueing];
