import { type Channel, type ToFact, type Message, type SourceEvent } from '@lyceum/channel';
import { backfillOf, kafkaChannel, messagesOf } from '@lyceum/channel';
import { type Documents, type Feed, incomingFromMessage, readModel, sqliteDocuments } from '@lyceum/documents';
import { type EventLog, sqliteEventLog, startRelay } from '@lyceum/eventlog';
import { startKafka } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Case, PeerMissing, type Side } from '../measuring/case.ts';
import { courses, source } from '../read-models/read-model.ts';
import { anyStream, appendTo } from '../measuring/workload.ts';

/** Events in a second. */
const rate = 1_000;

/** Longest time that one write may take to be seen, in milliseconds: later is a fault, not a figure. */
const patience = 30_000;

/** Every event crosses as it is. */
const toFact: ToFact = ({ id, type, schema, stream, version, data }: SourceEvent) => ({
  id,
  type,
  schema,
  version,
  data,
  subject: stream,
});

/** Publishes a log, as a service does. */
async function published(log: EventLog, brokers: readonly string[], prefix: string) {
  const channel = await kafkaChannel({ brokers, clientId: 'owner', prefix });
  channel.offer(source, log.lanes, backfillOf(source, log, toFact));
  const previous = new Map<number, Parameters<typeof messagesOf>[2]>();
  const relay = startRelay(log, {
    from: async () => 0,
    async publish(commits) {
      const { lane } = commits[0]!;
      const next = messagesOf(source, commits, previous.get(lane) ?? 0, toFact);
      await channel.publish(next.messages);
      previous.set(lane, next.previous);
    },
  });
  return async (): Promise<void> => {
    await relay.close();
    await channel.close();
  };
}

/** A read model of another service, and when it had what. */
async function followed(channel: Channel, documents: Documents) {
  const seen = new Map<string, number>();
  const feed: Feed = ({ from, handle, name }) => {
    const handleAll = async (messages: readonly Message[]): Promise<void> => {
      await handle(messages[0]!.lane, messages.map(incomingFromMessage));
      const now = performance.now();
      for (const { lane, position } of messages) seen.set(`${lane}/${position}`, now);
    };
    return channel.subscribe({
      consumer: name,
      source,
      from,
      mode: 'shared',
      handle: (message) => handleAll([message]),
      handleAll,
    });
  };
  const model = await readModel({ documents, projection: courses, source, owner: 'bench', feed });
  await model.built();
  return { seen, close: () => model.close() };
}

/** Appends so many events in each second, and tells when each was committed. */
async function appended(log: EventLog, milliseconds: number): Promise<ReadonlyMap<string, number>> {
  const committed = new Map<string, number>();
  const append = async (): Promise<void> => {
    const { commit } = await log.append(appendTo(anyStream()));
    committed.set(`${commit.lane}/${commit.position}`, performance.now());
  };
  const appends: Promise<void>[] = [];
  for (let now = 0, began = performance.now(); now < milliseconds; now = performance.now() - began) {
    while (appends.length < (now / 1_000) * rate) appends.push(append());
    await pause(5);
  }
  await Promise.all(appends);
  return committed;
}

/** Writes on one side of Kafka are read on the other. The rate is given, not reached. */
const ours: Side = {
  name: `our log and another service’s read model, ${rate} events/s`,
  async open(folder) {
    const broker = await startKafka().catch((error: Error) => Promise.reject(new PeerMissing(error.message)));
    const [brokers, prefix] = [broker.url.split(','), `${randomUUID()}.`];
    const log = await sqliteEventLog({ file: join(folder, 'events.db') });
    const unpublish = await published(log, brokers, prefix);
    const history = () => ({ lanes: log.lanes, backfill: backfillOf(source, log, toFact) });
    const channel = await kafkaChannel({ brokers, clientId: 'reader', prefix, history });
    const documents = await sqliteDocuments({ file: join(folder, 'documents.db') });
    const model = await followed(channel, documents);
    return {
      async round(milliseconds) {
        const committed = await appended(log, milliseconds);
        for (const end = performance.now() + patience; model.seen.size < committed.size; await pause(5))
          if (performance.now() > end) throw new Error(`${committed.size - model.seen.size} were not projected`);
        const latencies = [...committed].map(([place, at]) => model.seen.get(place)! - at);
        model.seen.clear();
        return { operations: latencies.length, latencies };
      },
      async close() {
        await model.close();
        await channel.close();
        await documents.close();
        await unpublish();
        await log.close();
        await broker.stop();
      },
    };
  },
};

/** How long after its commit an event is in the read model of another service. */
export const kafkaCases: readonly Case[] = [
  { name: 'commit to projected, through Kafka', unit: 'writes seen', sides: [ours], goals: { p99: 250 } },
];
