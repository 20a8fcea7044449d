import type { Incoming } from '@lyceum/documents';
import { execute } from '@lyceum/eventlog';
import { type EventTypes, type Rejection, isRejection, isoTime, reject, uuidv5 } from '@lyceum/kernel';
import type { Ports } from '@lyceum/web';
import { z } from 'zod';
import { type Order, type ProcessManager, processStream } from '../process/process.ts';
import type { Outcome } from './sending.ts';

/** What has to reach somebody. Plain JSON, without personal data: the receiver is looked up when it is sent. */
export interface Due {
  /** Pointless from then on, RFC 3339 UTC. */
  readonly until: string;
  /** Not sent before, RFC 3339 UTC; absent = at once. */
  readonly from?: string | undefined;
}

/** What is due and has not gone through. `key` names it among those of one event; `tries`: how often it was tried. */
export interface Postponed<Delivery extends Due> {
  readonly key: string;
  readonly delivery: Delivery;
  readonly tries: number;
}

/** What will not be tried any more. */
export interface Abandoned {
  readonly key: string;
  readonly reason: 'refused' | 'expired';
}

/** How things are sent. */
export interface Deliver<Delivery extends Due> {
  /** Sends one thing. `key` is the same for every try. A throw is a fault of ours, which an operator looks into. */
  try(delivery: Delivery, school: string, key: string): Promise<Outcome>;
  /** Called at least once when it was sent, refused or became pointless, before that is written down. */
  over?(delivery: Delivery, school: string): Promise<void>;
}

interface EventOfDeliveries<Delivery extends Due> {
  readonly type: string;
  readonly data: Postponed<Delivery> | Abandoned;
}

/** What a service has delivered. */
export interface DeliveryProcess<
  Delivery extends Due,
  Event extends EventOfDeliveries<Delivery>,
  Given extends WritingPorts,
> {
  /** The service that delivers: ids are derived from its name. */
  readonly service: string;
  /** The name of the process. */
  readonly name: string;
  readonly events: EventTypes;
  /** What an event obliges the service to deliver. Pure. */
  due(event: Incoming): readonly Delivery[];
  postponed(kept: Postponed<Delivery>): Event;
  abandoned(kept: Abandoned): Event;
  deliverBy(ports: Given): Deliver<Delivery>;
}

type WritingPorts = Pick<Ports, 'log' | 'clock'>;
/** The process that delivers. */
export type Delivering<Delivery extends Due, Event extends EventOfDeliveries<Delivery>, Given> = ProcessManager<
  State<Delivery>,
  Event,
  Postponed<Delivery>,
  Given
>;

type State<Delivery extends Due> = Readonly<Record<string, Postponed<Delivery>>>;

const [first, longest] = [5_000, 15 * 60_000];
/** Milliseconds before the next try. */
const pauseAfter = (tries: number): number => Math.min(first * 3 ** (tries - 1), longest);

/** The receipt, on a stream of its own: a process that starts over does not send again what was sent. */
export const receiptEvents = { Delivered: { version: 1, data: z.object({}) } } as const satisfies EventTypes;

const receiptPrefix = 'delivered-';

/** The streams of receipts, and all that is decided about them. */
export const receipts = {
  isStream: (stream: string): boolean => stream.startsWith(receiptPrefix),
  decider: {
    events: receiptEvents,
    initial: undefined,
    decide: () => [{ type: 'Delivered', data: {} }] as const,
    evolve: () => undefined,
  },
};

/** Whether a stream is one that the process of this name keeps, or a receipt. */
export const isOfDeliveries = (name: string, stream: string): boolean =>
  stream.startsWith(processStream(name, '')) || receipts.isStream(stream);

/**
 * Delivers what events oblige a service to deliver, at least once: what fails is tried again after 5 s, 15 s, 45 s … 15 min
 * until it is pointless, each by itself, so that one dead receiver delays nobody else. The log keeps all of it.
 */
export function deliveryProcess<
  Delivery extends Due,
  Event extends EventOfDeliveries<Delivery>,
  Given extends WritingPorts,
>(given: DeliveryProcess<Delivery, Event, Given>): Delivering<Delivery, Event, Given> {
  const { service, name, events, due } = given;
  return {
    name,
    events,
    initial: {},
    evolve(state, { data }) {
      const { [data.key]: _, ...others } = state;
      return 'delivery' in data ? { ...others, [data.key]: data } : others;
    },
    correlate: (event) =>
      due(event).length === 0 ? undefined : uuidv5(service, 'delivery', event.tenant, event.stream, event.version),
    react(input, state, now) {
      if (input.kind === 'timer') {
        const kept = state[input.timer];
        return kept ? { commands: [kept] } : {};
      }
      if (input.kind === 'rejected') return afterFailure(given, input.command, input.code, now);
      const all = due(input.event).map((delivery, at) => ({ key: `${at}`, delivery, tries: 0 }));
      const later = all.filter(({ delivery: { from } }) => from !== undefined && from > now);
      if (later.length === 0) return { commands: all };
      return {
        commands: all.filter((each) => !later.includes(each)),
        events: later.map((each) => given.postponed(each)),
        set: Object.fromEntries(later.map(({ key, delivery }) => [key, delivery.from ?? delivery.until])),
      };
    },
    carryOut: (command, order, ports) => carryOut(service, given.deliverBy(ports), command, order, ports),
  };
}

function afterFailure<Delivery extends Due, Event extends EventOfDeliveries<Delivery>>(
  { postponed, abandoned }: Pick<DeliveryProcess<Delivery, Event, never>, 'postponed' | 'abandoned'>,
  { key, delivery, tries: before }: Postponed<Delivery>,
  code: string,
  now: string,
) {
  if (code === 'refused' || code === 'expired') return { events: [abandoned({ key, reason: code })] };
  const tries = before + 1;
  // At the latest when it has become pointless, which wants to be seen to as well.
  const next = Math.min(Date.parse(now) + pauseAfter(tries), Date.parse(delivery.until));
  return { events: [postponed({ key, delivery, tries })], set: { [key]: isoTime(next) } };
}

async function carryOut<Delivery extends Due>(
  service: string,
  deliver: Deliver<Delivery>,
  { key, delivery }: Postponed<Delivery>,
  { tenant, correlation, at, meta }: Order,
  { log, clock }: WritingPorts,
): Promise<Rejection | object> {
  // One for all tries: a process that starts over hears of each of them again.
  const commitId = uuidv5(service, 'delivered', tenant, correlation, key);
  if (await log.find(tenant, commitId)) return {};
  const isLate = at >= delivery.until;
  const outcome = isLate ? 'expired' : await deliver.try(delivery, tenant, `${correlation}/${key}`);
  if (outcome !== 'unavailable') await deliver.over?.(delivery, tenant);
  if (outcome !== 'sent') return reject(outcome, isLate ? 'It is too late for this' : 'It did not go through');
  const receipt = { tenant, stream: receiptPrefix + commitId, command: undefined, commitId, meta };
  const written = await execute(log, receipts.decider, { ...receipt, at: isoTime(clock.now()) });
  if (isRejection(written)) throw new Error(written.reason);
  return {};
}
