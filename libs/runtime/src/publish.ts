import { type Fact, backfillOf, messagesOf } from '@lyceum/channel';
import { type FactOf, type FactSource, facts } from '@lyceum/contracts';
import { type Commit, type Following, startRelay } from '@lyceum/eventlog';
import type { RecordedEvent } from '@lyceum/kernel';
import type { ModulePorts } from './module.ts';

/** A fact of any of the sources. */
type AnyFact<Source extends FactSource = FactSource> = Source extends FactSource ? FactOf<Source> : never;

/**
 * Turns a private event into the fact that other services see, or undefined when it stays private. Pure: it is asked
 * again whenever history is read. Its data must match the fact's schema in `@lyceum/contracts`.
 */
export type Cross<Source extends FactSource = FactSource> = (event: RecordedEvent) => AnyFact<Source> | undefined;

/**
 * Offers a service's facts to the channel, with their whole history, and relays those of new commits. Closing stops the
 * relay after the batch in flight; what it did not publish is in the history that followers read.
 */
export async function publishFacts(
  ports: Pick<ModulePorts, 'channel' | 'log' | 'logger'>,
  source: FactSource,
  cross: Cross,
): Promise<Following> {
  const { channel, log, logger } = ports;
  const envelope = (event: RecordedEvent): Fact | undefined => enveloped(source, event, cross(event));
  // Whoever subscribes reads the history up to here by itself, so the relay begins at the present.
  const heads = await Promise.all(Array.from({ length: log.lanes }, (_, lane) => log.head(lane)));
  const previous = [...heads];
  channel.offer(source, log.lanes, backfillOf(source, log, envelope));
  return startRelay(log, {
    from: (lane) => Promise.resolve(heads[lane]!),
    async publish(commits: readonly Commit[]) {
      const lane = commits[0]!.lane;
      const next = messagesOf(source, commits, previous[lane]!, envelope);
      await channel.publish(next.messages);
      previous[lane] = next.previous;
    },
    onError: (err, lane) => logger.error({ err, source, lane }, 'the relay failed; it tries again'),
  });
}

/** The declared fact of an event, with its schema's version. Throws when the contract does not know it. */
function enveloped(source: FactSource, event: RecordedEvent, fact: AnyFact | undefined): Fact | undefined {
  if (!fact) return undefined;
  const declared: Readonly<Record<string, { version: number; data: { parse(value: unknown): unknown } }>> =
    facts[source];
  const contract = declared[fact.type];
  if (!contract) throw new Error(`${source} does not publish ${fact.type}`);
  const { id, stream, version } = event;
  return {
    id,
    type: fact.type,
    schema: contract.version,
    subject: stream,
    version,
    data: contract.data.parse(fact.data),
  };
}
