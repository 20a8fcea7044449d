import {
  type Feed,
  type Projection,
  incomingFromCommit,
  liveDocuments,
  readModel,
  sqliteDocuments,
} from '@lyceum/documents';
import {
  type EventLog,
  Vault,
  encryptedEventLog,
  followLog,
  memoryKeyStore,
  readWholeLog,
  sqliteEventLog,
  withKnownEvents,
  withSharedReading,
} from '@lyceum/eventlog';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Case, Round, Side } from '../measuring/case.ts';
import { appendTo } from '../measuring/workload.ts';

/** What streams are about: each kind has a read model of its own. Streams of a kind, and events of a stream. */
const kinds = ['course', 'lesson', 'member', 'enrollment'] as const;
const streams = 10_000;
const length = 6;
const events = kinds.length * streams * length;

/** Appends at once. */
const step = 500;

/** A read model as services have them: one text to sort by, one to search in, two fields to filter by. */
const modelOf = (name: string, isOf: (stream: string) => boolean): Projection => ({
  collection: { name, version: 1, fields: { title: 'text', search: 'text', status: 'text', price: 'number' } },
  key: ({ stream }) => (isOf(stream) ? stream : undefined),
  project({ data, at }, before) {
    const { title, text, price } = data as { title: string; text: string; price: number };
    const changes = Number(before?.['changes'] ?? 0) + 1;
    const status = changes % 3 === 0 ? 'published' : 'draft';
    return { title, text, price, status, search: title.toLowerCase(), changes, updated_at: at };
  },
});

const models = kinds.map((kind) => modelOf(kind, (stream) => stream.startsWith(kind)));
const whole = modelOf('whole', () => true);

const eventOf = (kind: string, number: number): Parameters<EventLog['append']>[0] => {
  const append = appendTo(number);
  const [event] = append.events;
  return { ...append, events: [{ ...event!, stream: event!.stream.replace('course', kind) }] };
};

/** Streams change in turns, so that no two events of one are neighbours. */
async function fill(log: EventLog): Promise<void> {
  for (let round = 0; round < length; round += 1)
    for (const kind of kinds)
      for (let from = 0; from < streams; from += step)
        await Promise.all(Array.from({ length: step }, (_, index) => log.append(eventOf(kind, from + index))));
}

/** A log as services read theirs: decrypted, up to what they know. It is opened anew: everything is read from the file. */
async function filledLog(folder: string): Promise<EventLog> {
  const file = join(folder, 'events.db');
  const written = await sqliteEventLog({ file });
  await fill(written);
  await written.close();
  const vault = new Vault(memoryKeyStore(), [randomBytes(32)]);
  const log = encryptedEventLog(await sqliteEventLog({ file }), { vault, catalogue: new Map() });
  const whyUnknown = ({ type }: { readonly type: string }) => (type === 'CourseDescribed' ? undefined : 'not known');
  return withSharedReading(withKnownEvents(log, { whyUnknown }), { erasures: vault });
}

/** Builds read models that are not there yet, as services do. */
async function build(log: EventLog, file: string, projections: readonly Projection[]): Promise<Round> {
  const documents = await liveDocuments(await sqliteDocuments({ file }));
  const feed: Feed = ({ from, handle, batch, isOnce }) =>
    (isOnce ? readWholeLog : followLog)(log, {
      from,
      batch,
      handle: (commits, lane) => handle(lane, commits.map(incomingFromCommit)),
    });
  const before = process.cpuUsage();
  const began = performance.now();
  const options = { documents, source: 'bench', feed, owner: 'bench' };
  const built = await Promise.all(projections.map((projection) => readModel({ ...options, projection })));
  await Promise.all(built.map((model) => model.built()));
  const milliseconds = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  for (const model of built) await model.close();
  await documents.close();
  await rm(file);
  return {
    operations: events,
    server: { milliseconds, cpu: user + system, megabytes: process.memoryUsage.rss() / 1e6 },
  };
}

const building = (name: string, projections: readonly Projection[]): Side => ({
  name,
  async open(folder) {
    const log = await filledLog(folder);
    return {
      round: () => build(log, join(folder, 'documents.db'), projections),
      close: () => log.close(),
    };
  },
});

const reading: Side = {
  name: 'reading the log, nothing else',
  async open(folder) {
    const log = await filledLog(folder);
    return {
      async round() {
        const whole = readWholeLog(log, { from: async () => 0, handle: async () => undefined });
        await whole.caughtUp();
        return { operations: events };
      },
      close: () => log.close(),
    };
  },
};

/** How fast read models are built from the whole log. An event of the first side is in its one read model. */
export const rebuildCases: readonly Case[] = [
  {
    name: `rebuild, embedded, ${length} events a document`,
    unit: 'events',
    sides: [
      building('one read model of all events', [whole]),
      building(`${kinds.length} read models at once, each event in one of them`, models),
      reading,
    ],
    goals: { rate: 100_000 },
  },
];
