import { facts } from '@lyceum/contracts';
import type { Incoming } from '@lyceum/documents';
import { Unavailable, execute, fold } from '@lyceum/eventlog';
import { erasedSubject, isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import type { ModulePorts, Reaction } from '@lyceum/service';
import { enrollmentEvents } from '../enrollments/enrollment.events.ts';
import { type SeatCommand, enrollmentOfRequest } from '../enrollments/enrollment.seats.ts';
import { type EnrollmentCommand, enrollmentDecider } from '../enrollments/enrollment.ts';
import { type AskedSeat, askedSeats, seatsOf } from './seat.asked.ts';

type SeatPorts = Pick<ModulePorts, 'log' | 'documents' | 'clock' | 'vault'>;

/** Brings a command to the seat of an enrollment. */
async function decide(
  { log, clock }: SeatPorts,
  school: string,
  stream: string,
  { member_id, course_id }: AskedSeat,
  command: SeatCommand,
  commitId: string,
): Promise<void> {
  const at = isoTime(clock.now());
  const whole: EnrollmentCommand = { ...command, member_id, course_id, now: at };
  const meta = { actor: 'system' };
  const done = await execute(log, enrollmentDecider, { tenant: school, stream, command: whole, at, meta, commitId });
  if (isRejection(done)) throw new Error(done.reason);
}

const answer = facts.commerce.SeatTaken.data.pick({ request_id: true });

/** Takes in what the commerce service answers; what it tells of orders, and of other services, is for others. */
async function takeAnswer({ tenant, type, data }: Incoming, ports: SeatPorts): Promise<void> {
  const { request_id } = answer.parse(data);
  const stream = enrollmentOfRequest(request_id);
  if (stream === undefined) return;
  const { state } = await fold(ports.log, enrollmentDecider, tenant, stream);
  if (!state) return;
  const command = type === 'SeatTaken' ? 'TakeSeat' : 'RefuseSeat';
  const commitId = uuidv5('seat-answered', type, request_id);
  await decide(ports, tenant, stream, state, { type: command, request_id }, commitId);
}

/** Gives members the access that waited for a seat, once there is one. */
const answered: Reaction = {
  name: 'seats',
  source: 'commerce',
  events: ['SeatTaken', 'SeatDenied'],
  perform: takeAnswer,
};

const requested = enrollmentEvents.SeatRequested.data;

/** Milliseconds that the read model is waited for at a time. */
const patience = 1_000;

/** `because`: the event that it follows from. */
const giveUp = (ports: SeatPorts, because: Incoming, stream: string, seat: AskedSeat): Promise<void> =>
  decide(
    ports,
    because.tenant,
    stream,
    seat,
    { type: 'GiveUpSeat' },
    uuidv5('seat-given-up', stream, because.stream, because.version),
  );

/** Returns all seats of somebody up to their erasure. Throws while the read model does not have them. */
async function returnSeatsOf(ports: SeatPorts, erasure: Incoming, subject: string): Promise<void> {
  const { documents, log } = ports;
  const { tenant, position } = erasure;
  if (!(await documents.waitFor(askedSeats, 'learning', log.laneOf(tenant), position, patience)))
    throw new Unavailable('the seats of somebody who was erased are not read yet');
  for await (const { id, ...seat } of seatsOf(ports, tenant, subject)) await giveUp(ports, erasure, id, seat);
}

/**
 * Nobody keeps a seat who was erased. The key of a member is destroyed before their erasure stands in the log: a seat is
 * either among those up to it, or was asked for by somebody without a key.
 */
const returnedByErased: Reaction = {
  name: 'seats-of-erased',
  events: ['SubjectErased', 'SeatRequested'],
  async perform(event, ports) {
    const subject = erasedSubject(event);
    if (subject !== undefined) return returnSeatsOf(ports, event, subject);
    const seat = requested.parse(event.data);
    if ((await ports.vault.keyStatus(event.tenant, seat.member_id)) === 'erased')
      await giveUp(ports, event, event.stream, seat);
  },
};

/** What follows from answers, and from erasures. */
export const seatReactions: readonly Reaction[] = [answered, returnedByErased];
