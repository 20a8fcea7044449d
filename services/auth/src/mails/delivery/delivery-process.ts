import { type Rejection, isRejection, isoTime, reject, uuidv5 } from '@lyceum/kernel';
import { type Order, type ProcessManager, processStream } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { write } from '../../domain/write.ts';
import { type Delivery, type DeliveryEvent, deliveryEvents, receiptEvents } from '../delivery.events.ts';
import type { Outcome } from '../outcome.ts';
import { dueDeliveries } from './due-deliveries.ts';

/** How things are sent. */
export interface Deliver {
  /** Sends one thing. `key` is the same for every try. A throw is a fault of ours, which an operator looks into. */
  try(delivery: Delivery, school: string, key: string): Promise<Outcome>;
  /** Called at least once when it was sent, refused or became pointless, before that is written down. */
  over(delivery: Delivery, school: string): Promise<void>;
}

type WritingPorts = Pick<Ports, 'log' | 'clock' | 'ids'>;

interface Postponed {
  readonly key: string;
  readonly delivery: Delivery;
  readonly tries: number;
}

type State = Readonly<Record<string, Postponed>>;

const [first, longest] = [5_000, 15 * 60_000];
/** Milliseconds before the next try. */
const pauseAfter = (tries: number): number => Math.min(first * 3 ** (tries - 1), longest);

const name = 'delivery';
const receiptPrefix = 'delivered-';

const receipt = {
  events: receiptEvents,
  initial: undefined,
  decide: () => [{ type: 'Delivered', data: {} }] as const,
  evolve: () => undefined,
};

const postponed = (key: string, delivery: Delivery, tries: number): DeliveryEvent =>
  delivery.what === 'export'
    ? { type: 'ExportMailPostponed', data: { key, delivery, tries } }
    : { type: 'DeliveryPostponed', data: { key, delivery, tries } };

/** What the process keeps, and its receipts: they stay where it ran when a school moves, and what is still due is heard anew. */
export const isOfDeliveries = (stream: string): boolean =>
  stream.startsWith(processStream(name, '')) || stream.startsWith(receiptPrefix);

/**
 * Sends what events oblige this service to send, at least once: what fails is tried again after 5 s, 15 s, 45 s … 15 min
 * until it is pointless, each by itself, so that one dead receiver delays nobody else. The log keeps all of it.
 */
export const deliveryProcess = <Given extends WritingPorts>(
  deliverBy: (ports: Given) => Deliver,
): ProcessManager<State, DeliveryEvent, Postponed, Given> => ({
  name,
  events: deliveryEvents,
  initial: {},
  evolve(state, event) {
    const { key } = event.data;
    const { [key]: _, ...others } = state;
    return event.type === 'DeliveryAbandoned' ? others : { ...others, [key]: event.data };
  },
  correlate: (event) =>
    dueDeliveries(event).length === 0
      ? undefined
      : uuidv5('auth', 'delivery', event.tenant, event.stream, event.version),
  react(input, state, now) {
    if (input.kind === 'event')
      return { commands: dueDeliveries(input.event).map((delivery, at) => ({ key: `${at}`, delivery, tries: 0 })) };
    if (input.kind === 'timer') return { commands: [state[input.timer]!] };
    const { key, delivery, tries: before } = input.command;
    const tries = before + 1;
    if (input.code === 'refused' || input.code === 'expired')
      return { events: [{ type: 'DeliveryAbandoned', data: { key, reason: input.code } }] };
    // At the latest when it has become pointless, which wants to be seen to as well.
    const next = Math.min(Date.parse(now) + pauseAfter(tries), Date.parse(delivery.until));
    return { events: [postponed(key, delivery, tries)], set: { [key]: isoTime(next) } };
  },
  carryOut: ({ key, delivery }, order, ports) => carryOut(ports, deliverBy(ports), key, delivery, order),
});

async function carryOut(
  ports: WritingPorts,
  deliver: Deliver,
  key: string,
  delivery: Delivery,
  { tenant: school, correlation, at, meta }: Order,
): Promise<Rejection | object> {
  // One for all tries: a process that starts over hears of each of them again.
  const commitId = uuidv5('auth', 'delivered', school, correlation, key);
  if (await ports.log.find(school, commitId)) return {};
  const isLate = at >= delivery.until;
  const outcome = isLate ? 'expired' : await deliver.try(delivery, school, `${correlation}/${key}`);
  if (outcome !== 'unavailable') await deliver.over(delivery, school);
  if (outcome !== 'sent') return reject(outcome, isLate ? 'It is too late for this' : 'It did not go through');
  const written = await write(ports, receipt, { school, stream: receiptPrefix + commitId, meta, commitId }, undefined);
  if (isRejection(written)) throw new Error(written.reason);
  return {};
}
