import { join } from 'node:path';
import { type Channel, type Subscribed, backfillOf, kafkaChannel, messagesOf } from '@lyceum/channel';
import {
  type Collection,
  type Documents,
  incomingFromCommit,
  incomingFromMessage,
  mongodbDocuments,
  projector,
  sqliteDocuments,
} from '@lyceum/documents';
import {
  type Commit,
  type EventLog,
  type Following,
  followLog,
  mongodbEventLog,
  sqliteEventLog,
  startRelay,
} from '@lyceum/eventlog';
import { type Checkpoint, uuidv5 } from '@lyceum/kernel';
import { openDatabase } from '@lyceum/sqlite';
import { crossing } from './account.ts';
import { overriding } from './overriding.ts';
import { type Seams, type Stage, seamless } from './seams.ts';
import { accounts, diary } from './projections.ts';
import { type Servers, serversOf } from './servers.ts';
import { spoolChannel } from './spool-channel.ts';
import { fileSpool } from './spool.ts';

/** Lanes of both logs. */
export const lanes = 2;

/** The owner's name, as channel and checkpoints know it. */
export const source = 'accounts';

/** Where the relay keeps its place. */
export const outbox: Collection = { name: 'outbox', version: 1, fields: {} };

/** The reactor's watermarks. */
export const marks: Collection = { name: 'receipts', version: 1, fields: {} };

/** The engines of a data folder: an owner with its log, a consumer with a log of its own, and what lies between. */
export interface Engines {
  readonly log: EventLog;
  readonly documents: Documents;
  readonly receipts: EventLog;
  readonly consumer: Documents;
}

/** Two services in one process. */
export interface MiniService extends Engines {
  /** Resolves when everything that is in the log has gone all its ways. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

/** The commit id of the reactor's answer to a fact. */
export const receiptId = (lane: number, position: number, factId: string): string =>
  uuidv5('reaction', source, lane, position, factId, 'receipt');

/** Opens the engines of a folder: on a MongoDB-wire server where it says so, else in the folder. */
export async function openEngines(folder: string, seams: Seams = seamless): Promise<Engines> {
  const { mongodb } = serversOf(folder);
  const { log, receipts, documents, consumer } = await (mongodb ? onServer(mongodb) : inFolder(folder, seams));
  for (const collection of [accounts.collection, outbox]) await documents.open(collection);
  for (const collection of [diary.collection, marks]) await consumer.open(collection);
  return {
    log: seams.log(log),
    documents: seams.documents(documents, outbox),
    receipts,
    consumer: seams.documents(consumer, marks),
  };
}

async function onServer({ url, prefix, usedAs }: NonNullable<Servers['mongodb']>): Promise<Engines> {
  const place = (name: string) => ({ url, database: `${prefix}${name}`, ...(usedAs && { engine: usedAs }) });
  const [log, receipts, documents, consumer] = await Promise.all([
    mongodbEventLog({ ...place('owner'), lanes }),
    mongodbEventLog({ ...place('consumer'), lanes }),
    mongodbDocuments(place('owner_documents')),
    mongodbDocuments(place('consumer_documents')),
  ]);
  return { log, receipts, documents, consumer };
}

/** `gather` is small, so that commits move out of the journal all the time. */
async function inFolder(folder: string, seams: Seams): Promise<Engines> {
  const open = (stage: Stage, durable: boolean) => async (file: string) =>
    seams.database(stage, await openDatabase(file, { durable }));
  const log = await sqliteEventLog({
    file: join(folder, 'owner.events.db'),
    lanes,
    gather: 32,
    open: open('owner log', true),
  });
  const receipts = await sqliteEventLog({ file: join(folder, 'consumer.events.db'), lanes, gather: 32 });
  const documents = await sqliteDocuments({
    file: join(folder, 'owner.documents.db'),
    open: open('owner documents', false),
  });
  const consumer = await sqliteDocuments({
    file: join(folder, 'consumer.documents.db'),
    open: open('consumer documents', false),
  });
  return { log, receipts, documents, consumer };
}

/** What lies between the two services: Kafka where the folder says so, else a spool in the folder. */
async function channelOf(folder: string, seams: Seams): Promise<Channel> {
  const { kafka } = serversOf(folder);
  if (!kafka) return spoolChannel(seams.spool(fileSpool(join(folder, 'spool'), lanes)), lanes);
  const { brokers, prefix } = kafka;
  const channel = await kafkaChannel({ brokers, prefix, clientId: 'life' });
  const { mode } = kafka;
  return overriding<Channel>(channel, {
    subscribe: (subscription) => channel.subscribe({ ...subscription, mode }),
  });
}

/** Starts everything on a folder: relay, channel, read models, reactor. */
export async function startMiniService(folder: string, seams: Seams = seamless): Promise<MiniService> {
  const engines = await openEngines(folder, seams);
  const { log, documents, receipts, consumer } = engines;
  const channel = seams.channel(await channelOf(folder, seams));
  channel.offer(source, lanes, backfillOf(source, log, crossing));
  const relays = [startOutbox(engines, channel, seams.failed)];
  if (seams.secondRelay) relays.push(startOutbox(engines, seams.secondRelay(channel), seams.failed, 15));
  const own = projector({ documents, projection: accounts, source });
  const reading = followLog(log, {
    from: (lane) => own.from(lane),
    handle: (commits) => own.handle(commits[0]!.lane, commits.map(incomingFromCommit)),
    onError: seams.failed,
  });
  const hearing = [followFacts(channel, consumer), react(channel, consumer, receipts, seams)];
  return {
    ...engines,
    async caughtUp() {
      await Promise.all([...relays, reading, ...hearing].map((each) => each.caughtUp()));
    },
    async close() {
      for (const each of [...relays, reading, ...hearing]) await each.close();
      await channel.close();
      for (const engine of [consumer, receipts, documents, log]) await engine.close();
    },
  };
}

/** The relay as the runtime starts it, saving its place often; `stale`: commits that it goes back behind the place. */
function startOutbox({ log, documents }: Engines, channel: Channel, onError: Seams['failed'], stale = 0): Following {
  const previous = new Map<number, number | Checkpoint>();
  return startRelay(log, {
    saveEvery: 3,
    batch: 8,
    async from(lane) {
      const position = Math.max(0, (await documents.checkpoint(outbox, source, lane)) - stale);
      previous.set(lane, position);
      return position;
    },
    async saved(lane, position) {
      const before = await documents.checkpoint(outbox, source, lane);
      if (position > before) await documents.apply(outbox, source, lane, before, position, []);
    },
    async publish(commits: readonly Commit[]) {
      const { lane } = commits[0]!;
      const next = messagesOf(source, commits, previous.get(lane)!, crossing);
      if (next.messages.length > 0) await channel.publish(next.messages);
      previous.set(lane, next.previous);
    },
    onError,
  });
}

function followFacts(channel: Channel, documents: Documents): Subscribed {
  const projecting = projector({ documents, projection: diary, source });
  return channel.subscribe({
    consumer: 'diary',
    source,
    from: (lane) => projecting.from(lane),
    handle: (message) => projecting.handle(message.lane, [incomingFromMessage(message)]),
  });
}

/** Answers each fact with one commit of a derived id, then moves its watermark. */
function react(channel: Channel, documents: Documents, receipts: EventLog, seams: Seams): Subscribed {
  return channel.subscribe({
    consumer: 'receipts',
    source,
    from: (lane) => documents.checkpoint(marks, source, lane),
    async handle({ lane, position, tenant, at, facts }) {
      for (const { id, subject } of facts) {
        const { replayed } = await receipts.append({
          tenant,
          expectations: [],
          events: [{ stream: `receipt-${subject}`, type: 'Receipted', schema: 1, data: { fact: id } }],
          commitId: receiptId(lane, position, id),
          fingerprint: '',
          at,
          meta: { actor: 'receipts' },
        });
        if (replayed) seams.redelivered();
      }
      const before = await documents.checkpoint(marks, source, lane);
      await documents.apply(marks, source, lane, before, position, []);
    },
  });
}
