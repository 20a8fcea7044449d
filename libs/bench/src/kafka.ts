import { type Cross, type SourceEvent, backfillOf, kafkaChannel, messagesOf } from '@lyceum/channel';
import { incomingFromMessage, liveDocuments, readModel, sqliteDocuments } from '@lyceum/documents';
import { type EventLog, sqliteEventLog, startRelay } from '@lyceum/eventlog';
import { startKafka } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Case, PeerMissing, type Side } from './case.ts';
import { courses, source } from './read-model.ts';
import { anyStream, appendTo } from './workload.ts';

/** Events in a second. */
const rate = 1_000;

/** Longest time that one write may take to be seen, in milliseconds: later is a fault, not a figure. */
const patience = 30_000;

/** Every event crosses as it is. */
const cross: Cross = ({ id, type, schema, stream, version, data }: SourceEvent) => ({
  ...{ id, type, schema, version, data },
  subject: stream,
});

/** Publishes a log, as a service does. */
async function published(log: EventLog, brokers: readonly string[], prefix: string) {
  const channel = await kafkaChannel({ brokers, clientId: 'owner', prefix });
  channel.offer(source, log.lanes, backfillOf(source, log, cross));
  const previous = new Map<number, number>();
  const relay = startRelay(log, {
    from: async () => 0,
    async publish(commits) {
      const { lane } = commits[0]!;
      const next = messagesOf(source, commits, previous.get(lane) ?? 0, cross);
      await channel.publish(next.messages);
      previous.set(lane, next.previous);
    },
  });
  return async (): Promise<void> => {
    await relay.close();
    await channel.close();
  };
}

/** Writes on one side of Kafka, and waits on the other until a reader could see them. The rate is given, not reached. */
const ours: Side = {
  name: `our log and another service’s read model, ${rate} events/s`,
  async open(folder) {
    const broker = await startKafka().catch((error: Error) => Promise.reject(new PeerMissing(error.message)));
    const [brokers, prefix] = [broker.url.split(','), `${randomUUID()}.`];
    const log = await sqliteEventLog({ file: join(folder, 'events.db') });
    const unpublish = await published(log, brokers, prefix);
    const history = () => ({ lanes: log.lanes, backfill: backfillOf(source, log, cross) });
    const channel = await kafkaChannel({ brokers, clientId: 'reader', prefix, history });
    const documents = await liveDocuments(await sqliteDocuments({ file: join(folder, 'documents.db') }));
    const model = await readModel({
      documents,
      projection: courses,
      source,
      owner: 'bench',
      feed: ({ from, handle, name }) =>
        channel.subscribe({
          ...{ consumer: name, source, from, mode: 'shared' as const },
          handle: (message) => handle(message.lane, [incomingFromMessage(message)]),
        }),
    });
    await model.built();
    const seen = async (): Promise<number> => {
      const { commit } = await log.append(appendTo(anyStream()));
      const committed = performance.now();
      if (!(await documents.waitFor(courses.collection, source, commit.lane, commit.position, patience)))
        throw new Error(`position ${commit.position} of lane ${commit.lane} was not projected`);
      return performance.now() - committed;
    };
    return {
      async round(milliseconds) {
        const [began, waiting] = [performance.now(), [] as Promise<number>[]];
        for (let now = began; now - began < milliseconds; now = performance.now()) {
          while (waiting.length < ((now - began) / 1_000) * rate) waiting.push(seen());
          await pause(5);
        }
        const latencies = await Promise.all(waiting);
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
