import { type Heads, backfillOf, messagesOf } from '@lyceum/channel';
import { type FactSource, urgentFacts } from '@lyceum/contracts';
import type { Collection } from '@lyceum/documents';
import { type Commit, type EventLog, type RelayOptions, startRelay } from '@lyceum/eventlog';
import { type Cross, type Envelope, envelopeOf } from './envelope.ts';
import { inLife } from './lane-places.ts';
import type { ModulePorts } from './module.ts';
import { hasRole } from './roles.ts';
import { Shortcut } from './shortcut.ts';

type PublishPorts = Pick<ModulePorts, 'channel' | 'documents' | 'leases' | 'log' | 'logger' | 'roles' | 'watch'>;

/** Facts that are on their way out. */
export interface Publishing {
  /** Stops the relay after the batch in flight; what it did not publish is in the history that followers read. */
  close(): Promise<void>;
}

/**
 * Offers a service's facts to the channel, with their whole history, and relays those of new commits. Within one process
 * the relay begins at the present: whoever subscribes reads the history up to here by itself. Where facts leave the
 * process, the relay's place is kept in the documents, so that what was written while nobody relayed is published later,
 * and urgent facts are published by whoever wrote them, before the relay finds them.
 */
export async function publishFacts(ports: PublishPorts, source: FactSource, cross: Cross): Promise<Publishing> {
  const { channel, leases, log } = ports;
  const envelope = envelopeOf(source, cross);
  if (!leases) {
    const { heads } = await headsOf(log);
    offer();
    return relay(ports, source, envelope, { from: (lane) => Promise.resolve(heads[lane]!) });
  }
  offer();
  const wish = hasRole(ports, 'relay')
    ? leases.contend('relay', async () => relay(ports, source, envelope, await outbox(ports, source)))
    : undefined;
  const { heads } = await headsOf(log);
  const isNeeded = () => wish?.current() === undefined;
  const given = { source, log, channel, cross: envelope, urgent: urgentFacts, isNeeded };
  const shortcut = new Shortcut(given, heads);
  return { close: async () => void (await Promise.all([shortcut.close(), wish?.close()])) };

  function offer(): void {
    channel.offer(source, log.lanes, backfillOf(source, log, envelope), () => headsOf(log));
  }
}

async function headsOf(log: EventLog): Promise<Heads> {
  const heads = await Promise.all(Array.from({ length: log.lanes }, (_, lane) => log.head(lane)));
  return { heads, ...(log.incarnation === undefined ? {} : { incarnation: log.incarnation }) };
}

function relay(
  ports: PublishPorts,
  source: FactSource,
  envelope: Envelope,
  { from, saved }: Pick<RelayOptions, 'from' | 'saved'>,
) {
  const { channel, log, logger, watch } = ports;
  const previous = new Map<number, number>();
  return startRelay(log, {
    async from(lane) {
      const position = await from(lane);
      previous.set(lane, position);
      watch?.relayed(source, lane, position);
      return position;
    },
    ...(saved ? { saved } : {}),
    async publish(commits: readonly Commit[]) {
      const lane = commits[0]!.lane;
      const next = messagesOf(source, commits, previous.get(lane)!, envelope);
      if (next.messages.length > 0) await channel.publish(next.messages);
      previous.set(lane, next.previous);
      watch?.relayed(source, lane, commits.at(-1)!.position);
    },
    onError: (err, lane) => logger.error({ err, source, lane }, 'the relay failed; it tries again'),
  });
}

const places: Collection = { name: 'outbox', version: 1, fields: {} };

/** The relay's place in each lane of this life of the log, kept in the documents. Losing it costs duplicates only. */
async function outbox(
  { documents, log: { incarnation } }: PublishPorts,
  source: FactSource,
): Promise<Required<Pick<RelayOptions, 'from' | 'saved'>>> {
  await documents.open(places);
  const key = inLife(source, incarnation);
  const from = (lane: number) => documents.checkpoint(places, key, lane);
  return {
    from,
    async saved(lane, position) {
      const before = await from(lane);
      if (position > before) await documents.apply(places, key, lane, before, position, []);
    },
  };
}
