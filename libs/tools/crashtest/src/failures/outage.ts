import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Fact, type Message, type SourceEvent, backfillOf, kafkaChannel, messagesOf } from '@lyceum/channel';
import { type Commit, type EventLog, startRelay } from '@lyceum/eventlog';
import { type Checkpoint, isoTime } from '@lyceum/kernel';

/** A log that is published through Kafka, and a consumer in another process's place. */
export interface Published {
  /** What the consumer was given, lane by lane, in the order of its coming. */
  readonly heard: readonly (readonly Message[])[];
  /** Commits that Kafka has not taken yet, and those that the consumer has not heard of. */
  behind(): Promise<{ readonly kafka: number; readonly consumer: number }>;
  /** Messages that came to the consumer from Kafka, repeats included, and those that the relay has sent. */
  counts(): { readonly received: number; readonly sent: number };
  close(): Promise<void>;
}

const source = 'accounts';
const everything = ({ id, type, schema, stream, version, data }: SourceEvent): Fact => ({
  id,
  type,
  schema,
  version,
  data,
  subject: stream,
});

/** Starts a relay on the log and a consumer that has caught up. Every event crosses. */
export async function publishedLog(log: EventLog, brokers: readonly string[]): Promise<Published> {
  const prefix = `${randomUUID()}.`;
  const lanes = Array.from({ length: log.lanes }, (_, lane) => lane);
  const backfill = backfillOf(source, log, everything);
  const owner = await kafkaChannel({ brokers, clientId: 'owner', prefix });
  owner.offer(source, log.lanes, backfill);
  const relayed = lanes.map(() => 0);
  const previous: (number | Checkpoint)[] = lanes.map(() => 0);
  const relay = startRelay(log, {
    from: async () => 0,
    async publish(commits) {
      const { lane, position } = commits.at(-1)!;
      const next = messagesOf(source, commits, previous[lane]!, everything);
      await owner.publish(next.messages);
      [previous[lane], relayed[lane]] = [next.previous, position];
    },
  });
  const consumer = await kafkaChannel({ brokers, clientId: 'consumer', prefix, history });
  const heard: Message[][] = lanes.map(() => []);
  const handle = async (message: Message): Promise<void> => void heard[message.lane]!.push(message);
  const from = async (lane: number): Promise<number> => heard[lane]!.at(-1)?.position ?? 0;
  await consumer.subscribe({ consumer: 'outage', source, mode: 'shared', from, handle }).caughtUp();
  return {
    heard,
    async behind() {
      const total = (await headsOf(log)).reduce((sum, head) => sum + head, 0);
      const sent = relayed.reduce((sum, position) => sum + position, 0);
      return { kafka: total - sent, consumer: total - heard.flat().length };
    },
    counts: () => ({ received: consumer.counts().received, sent: owner.counts().published }),
    async close() {
      await consumer.close();
      await relay.close();
      await owner.close();
    },
  };

  function history() {
    return { lanes: log.lanes, backfill, heads: async () => ({ heads: await headsOf(log) }) };
  }
}

const headsOf = (log: EventLog): Promise<number[]> =>
  Promise.all(Array.from({ length: log.lanes }, (_, lane) => log.head(lane)));

/** What became of an offered load. */
export interface Offered {
  readonly acknowledged: readonly Commit[];
  readonly failures: readonly unknown[];
  /** The longest time that an append took, milliseconds. */
  readonly longest: number;
}

/**
 * Appends commits of one event at a steady rate until the signal, all that are due by then, whatever becomes of those
 * before (at most a thousand wait at once); a pause of this process is made up for. Resolves when all are answered.
 */
export async function offer(log: EventLog, perSecond: number, until: AbortSignal): Promise<Offered> {
  const acknowledged: Commit[] = [];
  const failures: unknown[] = [];
  const waiting = new Set<Promise<void>>();
  let longest = 0;
  const began = performance.now();
  for (let count = 0, isOver = false; !isOver; await pause(5)) {
    isOver = until.aborted;
    const due = ((performance.now() - began) / 1_000) * perSecond;
    for (; count < due && waiting.size < 1_000; count += 1) {
      const asked = performance.now();
      const one = log.append(noted(count)).then(
        ({ commit }) => void acknowledged.push(commit),
        (error: unknown) => void failures.push(error),
      );
      waiting.add(one);
      void one.then(() => {
        longest = Math.max(longest, performance.now() - asked);
        waiting.delete(one);
      });
    }
  }
  await Promise.all(waiting);
  return { acknowledged, failures, longest };
}

function noted(count: number): Parameters<EventLog['append']>[0] {
  return {
    tenant: `school_${count % 40}`,
    expectations: [],
    events: [{ stream: `note-${count % 50}`, type: 'Noted', schema: 1, data: { count } }],
    commitId: randomUUID(),
    fingerprint: '',
    at: isoTime(Date.now()),
    meta: { actor: 'load' },
  };
}
