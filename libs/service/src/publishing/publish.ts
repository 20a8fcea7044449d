import { type Heads, backfillOf, messagesOf } from '@lyceum/channel';
import { type FactSource, urgentFacts } from '@lyceum/contracts';
import { type Commit, type EventLog, type LaneSet, type RelayOptions, startRelay } from '@lyceum/eventlog';
import { type Checkpoint, checkpointFrom } from '@lyceum/kernel';
import { type ToFact, envelopeOf } from './envelope.ts';
import { Checkpoints } from '../checkpoints.ts';
import type { ModulePorts } from '../module.ts';
import { hasRole } from '../roles.ts';
import { UrgentPublisher } from './urgent-publisher.ts';
import { WithheldFacts } from './withheld-facts.ts';

type PublishPorts = Pick<ModulePorts, 'channel' | 'documents' | 'leases' | 'log' | 'logger' | 'roles' | 'watch'> &
  Partial<Pick<ModulePorts, 'clock'>>;

/** Facts that are on their way out. */
export interface Publishing {
  /** Stops the relay after the batch in flight; what it did not publish is in the history that followers read. */
  close(): Promise<void>;
}

/**
 * Offers a service's facts to the channel, with their whole history, and relays those of new commits. Within one process
 * the relay begins at the present: subscribers read the history up to here by themselves. Where facts leave the
 * process, the relay's place is kept in the documents, so that what was written while nobody relayed is published later,
 * and urgent facts are published by the process that wrote them, before the relay finds them. Processes share its lanes.
 */
export async function publishFacts(ports: PublishPorts, source: FactSource, toFact: ToFact): Promise<Publishing> {
  const { channel, leases, log } = ports;
  const withheld = new WithheldFacts(ports, source, envelopeOf(source, toFact));
  if (!leases) {
    await withheld.republishOwed();
    const { heads } = await headsOf(log);
    offer();
    const begin = [...heads];
    const diverged = (lane: number) => void (begin[lane] = 0);
    return relay(ports, source, withheld, { from: (lane) => Promise.resolve(begin[lane]!), diverged });
  }
  offer();
  // The last that may fail: from here on something goes on.
  const { heads } = await headsOf(log);
  const begin = async (lanes?: LaneSet) => relay(ports, source, withheld, await outbox(ports, source, withheld), lanes);
  const sharer = hasRole(ports, 'relay') ? leases.share('relay', { lanes: log.lanes, form: source, begin }) : undefined;
  const isNeeded = (lane: number) => sharer?.has(lane) !== true;
  const given = { source, log: withheld.reader, channel, toFact: withheld.envelope, urgent: urgentFacts, isNeeded };
  const urgent = new UrgentPublisher(given, heads);
  return { close: async () => void (await Promise.all([urgent.close(), sharer?.close()])) };

  function offer(): void {
    channel.offer(source, log.lanes, backfillOf(source, withheld.reader, withheld.envelope), () => headsOf(log));
  }
}

async function headsOf(log: EventLog): Promise<Heads> {
  const heads = await Promise.all(Array.from({ length: log.lanes }, (_, lane) => log.head(lane)));
  return { heads, ...(log.epoch === undefined ? {} : { epoch: log.epoch }) };
}

function relay(
  ports: PublishPorts,
  source: FactSource,
  withheld: WithheldFacts,
  { from, saved, diverged }: Pick<RelayOptions, 'from' | 'saved' | 'diverged'>,
  lanes?: LaneSet,
) {
  const { channel, log, logger, watch } = ports;
  const previous = new Map<number, Checkpoint>();
  const ended = (lane: number) => watch?.relayEnded(source, lane);
  const running = startRelay(log, {
    ...(lanes ? { lanes } : {}),
    left: ended,
    async from(lane) {
      const at = checkpointFrom(await from(lane));
      previous.set(lane, at);
      watch?.relayed(source, lane, at.position);
      return at;
    },
    ...(saved ? { saved } : {}),
    ...(diverged ? { diverged } : {}),
    async publish(commits: readonly Commit[], lane) {
      const found = await withheld.publishable(commits);
      const next = messagesOf(source, found, previous.get(lane)!, withheld.envelope);
      if (next.messages.length > 0) await channel.publish(next.messages);
      previous.set(lane, next.previous);
      watch?.relayed(source, lane, commits.at(-1)!.position);
    },
    onError: (err, lane) => logger.error({ err, source, lane }, 'the relay failed; it tries again'),
  });
  return {
    caughtUp: () => running.caughtUp(),
    close: () => running.close().finally(() => previous.forEach((_, lane) => ended(lane))),
  };
}

/**
 * The relay's checkpoint in each lane of this epoch of the log, kept in the documents. Losing it costs duplicates only. Before a
 * lane is relayed, what was withheld in it is published: its process alone knows then that it is withheld no more.
 */
async function outbox(
  { documents, log: { epoch } }: PublishPorts,
  source: FactSource,
  withheld: WithheldFacts,
): Promise<Required<Pick<RelayOptions, 'from' | 'saved' | 'diverged'>>> {
  const checkpoints = await Checkpoints.open(documents, source, 'outbox');
  return {
    async from(lane) {
      await withheld.republishOwed(lane);
      return checkpoints.from(lane, epoch);
    },
    saved: (lane, position, commitId) => checkpoints.save(lane, { position, commitId }),
    diverged: (lane) => checkpoints.reset(lane),
  };
}
