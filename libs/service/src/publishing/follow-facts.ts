import type { Message, Subscribed } from '@lyceum/channel';
import type { FactSource } from '@lyceum/contracts';
import { uuidv5 } from '@lyceum/kernel';
import type { FactDelivery } from '@lyceum/oauth';
import type { ModulePorts } from '../module.ts';

/** One fact as a follower gets it. */
export interface Arrival extends FactDelivery {
  readonly fact: {
    readonly id: string;
    readonly type: string;
    readonly version: number;
    readonly subject: string;
    readonly data: unknown;
  };
  readonly lane: number;
  readonly position: number;
  /** The commit id for what this follower does because of the fact: always the same, so a redelivery is written once. */
  reaction(effect: string): string;
}

/**
 * Follows what a service tells from now on, and from the start of every epoch of its log: for what is asked for anew after a
 * while all the same, e.g. a cache. Nothing is read at a start, however much there is.
 */
export function followNews(
  ports: Pick<ModulePorts, 'channel'>,
  source: FactSource,
  consumer: string,
  handle: (arrival: Arrival) => void,
): Subscribed {
  return ports.channel.subscribe({
    consumer,
    source,
    from: (_lane, _epoch, head = 0) => Promise.resolve(head),
    handle: async (message) => arrivals(message, source).forEach(handle),
  });
}

/**
 * Follows the facts of a service from the beginning of its history at every start: for state in memory, and for reactions
 * whose commits carry `reaction` ids. Each fact once per start, in lane order; a throw is retried with backoff and holds
 * later facts of the lane back.
 */
export function followFacts(
  ports: Pick<ModulePorts, 'channel'>,
  source: FactSource,
  consumer: string,
  handle: (arrival: Arrival) => Promise<void> | void,
): Subscribed {
  return ports.channel.subscribe({
    consumer,
    source,
    from: () => Promise.resolve(0),
    async handle(message) {
      for (const arrival of arrivals(message, source)) await handle(arrival);
    },
  });
}

const arrivals = ({ tenant, at, lane, position, facts }: Message, source: FactSource): Arrival[] =>
  facts.map((fact) => ({
    source,
    tenant,
    at,
    lane,
    position,
    fact,
    reaction: (effect) => uuidv5('reaction', source, lane, position, fact.id, effect),
  }));
