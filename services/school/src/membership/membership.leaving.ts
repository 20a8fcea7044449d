import type { Incoming } from '@lyceum/documents';
import { Unavailable, execute, fold } from '@lyceum/eventlog';
import { type Rejection, isRejection, isoTime, reject, upcast, uuidv5 } from '@lyceum/kernel';
import { MailRefused, MailUnavailable } from '@lyceum/mail';
import type { ModulePorts, Order, ProcessManager } from '@lyceum/service';
import { arrivalDecider, arrivalStream } from '../arrival/arrival.ts';
import { erasureRequestEvents } from '../leaving/erasure-request.events.ts';
import { erasureMail } from '../leaving/erasure-request.mail.ts';
import {
  type ErasureRequestCommand,
  type ErasureRequestState,
  erasureRequestDecider,
  memberOfErasureRequest,
} from '../leaving/erasure-request.ts';
import { memberDecider } from '../members/member.ts';
import { decideForPlatform, notBefore } from '../members/member.write.ts';
import { profileDecider, profileOf, profileStream } from '../school/profile.ts';
import { schoolDecider } from '../school/school.ts';
import { isLastOwner, staffDecider, staffStream } from '../staff/staff.ts';

/** To write to the person that they are to be erased, or to erase them. The names are stored. */
type Leaving = 'confirm' | 'erase';

type Ports = Pick<ModulePorts, 'log' | 'clock' | 'mail'>;

const [quarter, day] = [15 * 60_000, 24 * 3_600_000];

const requestOf = (event: Incoming) =>
  event.type === 'ErasureRequested' || event.type === 'ErasureCancelled'
    ? upcast(erasureRequestEvents, event)
    : undefined;

/**
 * Erases people who asked for it when their time to cancel is over, and writes to them before. A mail that cannot be sent
 * is tried again every quarter of an hour; the erasure waits for its own for a day at most.
 */
export const leavingProcess: ProcessManager<null, never, Leaving, Ports> = {
  name: 'leaving',
  events: {},
  initial: null,
  evolve: (state) => state,
  correlate: (event) => (requestOf(event) ? event.stream : undefined),
  react(input, _state, now) {
    if (input.kind === 'timer') return { commands: [input.timer === 'erase' ? 'erase' : 'confirm'] };
    if (input.kind === 'rejected') return { set: { [input.command]: isoTime(Date.parse(now) + quarter) } };
    const event = requestOf(input.event);
    if (event?.type !== 'ErasureRequested') return { cancel: ['erase', 'confirm'] };
    return { commands: ['confirm'], set: { erase: event.data.due_at } };
  },
  async carryOut(what, order, ports) {
    const { state } = await fold(ports.log, arrivalDecider, order.tenant, arrivalStream);
    if (state?.complete === false) throw new Unavailable('the school is still arriving');
    return what === 'confirm' ? confirm(order, ports) : erase(order, ports);
  },
};

/** Brings a command to the request; the step is part of the commit id, so that a repeat is written once. */
async function decide(
  { tenant, correlation: stream, commitId, at, meta }: Order,
  { log }: Pick<Ports, 'log'>,
  command: ErasureRequestCommand,
): Promise<ErasureRequestState> {
  const commit = uuidv5('leaving', commitId, command.type);
  const done = await execute(log, erasureRequestDecider, { tenant, stream, command, commitId: commit, at, meta });
  if (isRejection(done)) throw new Error(done.reason);
  return done.state;
}

const unavailable = reject('unavailable', 'The mail cannot be sent now');

async function confirm(order: Order, ports: Ports): Promise<Rejection | object> {
  const { state } = await fold(ports.log, erasureRequestDecider, order.tenant, order.correlation);
  if (state.status !== 'pending' || state.isConfirmed || state.due_at === null) return {};
  if (!(await write(order, ports, state.due_at))) return unavailable;
  await decide(order, ports, { type: 'ConfirmErasure' });
  return {};
}

async function erase(order: Order, ports: Ports): Promise<Rejection | object> {
  const { tenant, correlation, commitId } = order;
  const now = isoTime(ports.clock.now());
  const { status, due_at } = await decide(order, ports, { type: 'BeginErasure', now });
  if (status !== 'begun' || due_at === null) return {};
  const member = memberOfErasureRequest(correlation);
  const { state: staff } = await fold(ports.log, staffDecider, tenant, staffStream);
  if (isLastOwner(staff, member)) return decide(order, ports, { type: 'CancelErasure', reason: 'last_owner' });
  const isWrittenTo = await write(order, ports);
  if (!isWrittenTo && ports.clock.now() < Date.parse(due_at) + day) return unavailable;
  const command = { type: 'EraseMember', by: member, notBefore: notBefore(ports.clock.now()) } as const;
  const erased = await decideForPlatform(ports, tenant, member, command, uuidv5('left', commitId));
  if (isRejection(erased) && erased.rejected === 'last_owner')
    return decide(order, ports, { type: 'CancelErasure', reason: 'last_owner' });
  // The reaction to the event destroys the key, here and in every service.
  return {};
}

/** Writes to the person that they will be erased at a time, or are now. Whether that need not be tried again. */
async function write({ tenant, correlation, commitId }: Order, { log, mail }: Ports, date?: string): Promise<boolean> {
  const member = memberOfErasureRequest(correlation);
  const [{ state }, { state: school }, { state: profile }] = await Promise.all([
    fold(log, memberDecider, tenant, member),
    fold(log, schoolDecider, tenant, tenant),
    fold(log, profileDecider, tenant, profileStream),
  ]);
  if (!school || typeof state?.email !== 'string') return true;
  const { name, locale } = profileOf(school, profile);
  const message = erasureMail({ school: name, locale, ...(date === undefined ? {} : { date }) });
  const idempotencyKey = `erasure/${uuidv5('erasure-mail', commitId, date ?? 'done')}`;
  try {
    await mail.send({ to: state.email, from: name, ...message, idempotencyKey });
  } catch (error) {
    if (error instanceof MailUnavailable) return false;
    if (!(error instanceof MailRefused)) throw error;
  }
  return true;
}
