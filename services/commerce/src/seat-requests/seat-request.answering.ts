import { type FactSource, facts } from '@lyceum/contracts';
import type { Incoming } from '@lyceum/documents';
import { Unavailable, execute, fold } from '@lyceum/eventlog';
import { type Meta, isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import type { ModulePorts, Reaction } from '@lyceum/service';
import { capacityDecider, capacityStream } from '../capacity/capacity.ts';
import { knownItem } from '../items/known-items.ts';
import { type SeatRequestCommand, type SeatWish, seatRequestDecider, seatRequestStream } from './seat-request.ts';

/** The services that give things away, and ask for the seats. */
const sources = ['learning', 'content'] as const satisfies readonly FactSource[];

type AnsweringPorts = Pick<ModulePorts, 'log' | 'documents' | 'clock'>;

const system: Meta = { actor: 'system' };
const wish = facts.learning.SeatReturned.data;

/** How many seats an item has. Throws while nothing is known of it. */
async function limitOf(ports: AnsweringPorts, school: string, { item_type, item_id }: SeatWish) {
  const item = await knownItem(ports, school, item_id);
  if (item?.item_type !== item_type) throw new Unavailable('what a seat was asked of is not known here yet');
  return item.seat_limit;
}

/** Answers a request, or takes one back, in one commit with the seat. */
async function settle({ tenant, type, data }: Incoming, ports: AnsweringPorts): Promise<void> {
  const { log, clock } = ports;
  const { item_type, item_id, request_id } = wish.parse(data);
  const about = { item_type, item_id, request_id };
  const at = isoTime(clock.now());
  const asked =
    type === 'SeatReturned'
      ? ({ type: 'ReturnSeat' } as const)
      : ({ type: 'AnswerSeatRequest', limit: await limitOf(ports, tenant, about), now: at } as const);
  const stream = capacityStream(about);
  const command = async () => {
    const { state: seats, version } = await fold(log, capacityDecider, tenant, stream);
    const whole: SeatRequestCommand = { ...about, ...asked, seats };
    return { command: whole, expectedVersions: [{ stream, version }] };
  };
  const commitId = uuidv5('seat-request', type, item_type, item_id, request_id);
  await execute(log, seatRequestDecider, {
    tenant,
    stream: seatRequestStream(about),
    command,
    at,
    meta: system,
    commitId,
  });
}

/** Answers the services that give things away: one reaction for each, since each publishes for itself. */
const answeringRequests: readonly Reaction[] = sources.map((source) => ({
  name: `seat-requests.${source}`,
  source,
  events: ['SeatRequested', 'SeatReturned'],
  perform: settle,
}));

/** The limit that an item has from here on. */
function limitSet({ type, data }: Pick<Incoming, 'type' | 'data'>) {
  if (type === 'SeatLimitChanged') {
    const { course_id: item_id, seat_limit: limit } = facts.catalog.SeatLimitChanged.data.parse(data);
    return { item_type: 'course', item_id, limit };
  }
  const { event_id: item_id, capacity: limit } = facts.content.EventCapacityChanged.data.parse(data);
  return { item_type: 'event', item_id, limit };
}

/** The seats have the limit of their item, also while nobody buys: who waits for one hears of it. */
const followingLimits = (source: FactSource, name: string, type: string): Reaction => ({
  name,
  source,
  events: [type],
  async perform({ tenant, stream, version, ...event }, { log, clock }) {
    const { limit, ...item } = limitSet(event);
    const done = await execute(log, capacityDecider, {
      tenant,
      stream: capacityStream(item),
      command: { type: 'SetSeatLimit', ...item, limit },
      at: isoTime(clock.now()),
      meta: system,
      commitId: uuidv5('seat-limit', stream, version),
    });
    if (isRejection(done)) throw new Error(done.reason);
  },
});

/** What follows from requests for seats, and from other limits. */
export const seatReactions: readonly Reaction[] = [
  ...answeringRequests,
  followingLimits('catalog', 'seat-limits', 'SeatLimitChanged'),
  followingLimits('content', 'seat-limits.content', 'EventCapacityChanged'),
];
