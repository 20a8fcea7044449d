import { type Channel, memoryChannel } from '@lyceum/channel';
import { type HidingDocuments, hidingDocuments } from '@lyceum/documents/testing';
import {
  type EventLog,
  type KeyStore,
  Vault,
  catalogueOf,
  encryptedEventLog,
  memoryEventLog,
  memoryKeyStore,
  withKnownEvents,
} from '@lyceum/eventlog';
import { type HidingEventLog, hidingEventLog } from '@lyceum/eventlog/testing';
import { systemClock, systemIds } from '@lyceum/kernel';
import { type ModulePorts, type Slice, Watch, documentLeases, domainModule, knownEventsOf } from '@lyceum/service';
import { type Eraser, startErasing } from '@lyceum/operations';
import { courseSlices, schoolSlices } from './election-slices.ts';

/** A process of a service, which is started once. */
export interface ServiceProcess {
  /** As its operations get them. */
  readonly ports: ModulePorts;
  readonly eraser: Eraser;
  /** How many lanes it publishes, and how many it projects. */
  shares(): readonly number[];
  close(): Promise<void>;
}

/** What the processes of a service share. */
interface Store {
  readonly log: EventLog;
  readonly documents: HidingDocuments;
  readonly keys: KeyStore;
  /** The log as each of the processes sees it. */
  readonly seen: HidingEventLog[];
}

/** Two processes of a school and one of its courses, on servers that hold elections. */
export interface Installation {
  readonly school: Pick<Store, 'log'>;
  readonly courses: Pick<Store, 'log'>;
  readonly processes: readonly [ServiceProcess, ServiceProcess];
  readonly listener: ServiceProcess;
  /** The last position of each lane that was published. */
  readonly published: ReadonlyMap<number, number>;
  /** Each service's servers hold an election: they hide so many of the newest commits of each lane, and of changes. */
  elect(commits: number, changes: number): void;
  show(): void;
  close(): Promise<void>;
}

const lanes = 4;
const rootKey = Buffer.alloc(32, 7);
const times = { beat: 300, look: 100, lifetime: 2_000 };

/** `fails` is called with what the processes report, in words. */
export async function startInstallation(fails: (what: string) => void): Promise<Installation> {
  const [school, courses] = [newStore(), newStore()];
  const published = new Map<number, number>();
  const channel = recordingPublished(
    memoryChannel({ backoff: (failures) => Math.min(10 * 2 ** failures, 500) }),
    published,
  );
  const start = (name: string, slices: readonly Slice[], store: Store, sources: readonly 'school'[]) =>
    startProcess({ name, slices, store, sources, channel, fails });
  const one = await start('school', schoolSlices, school, []);
  const other = await start('school', schoolSlices, school, []);
  const listener = await start('catalog', courseSlices, courses, ['school']);
  const all = [one, other, listener];
  return {
    school,
    courses,
    processes: [one, other],
    listener,
    published,
    elect(commits, changes) {
      for (const { seen, documents } of [school, courses]) {
        for (const log of seen) for (let lane = 0; lane < lanes; lane += 1) log.hide(lane, commits);
        documents.hide(changes);
      }
    },
    show() {
      for (const { seen, documents } of [school, courses]) {
        for (const log of seen) log.show();
        documents.show();
      }
    },
    async close() {
      for (const each of all) await each.close();
      await channel.close();
    },
  };
}

const newStore = (): Store => ({
  log: memoryEventLog({ lanes }),
  documents: hidingDocuments(),
  keys: memoryKeyStore(),
  seen: [],
});

const recordingPublished = (channel: Channel, published: Map<number, number>): Channel => ({
  offer: (...offered) => channel.offer(...offered),
  subscribe: (subscription) => channel.subscribe(subscription),
  close: () => channel.close(),
  async publish(messages) {
    await channel.publish(messages);
    for (const { lane, position } of messages) published.set(lane, Math.max(position, published.get(lane) ?? 0));
  },
});

interface Starting {
  readonly name: string;
  readonly slices: readonly Slice[];
  readonly store: Store;
  readonly sources: readonly 'school'[];
  readonly channel: Channel;
  readonly fails: (what: string) => void;
}

/** Starts a process as `run` does, on engines in memory. */
async function startProcess({ name, slices, store, sources, channel, fails }: Starting): Promise<ServiceProcess> {
  const stored = hidingEventLog(store.log);
  store.seen.push(stored);
  const documents = store.documents.process();
  const vault = new Vault(store.keys, [rootKey]);
  const say = ({ err }: { err?: unknown }, text: string) => fails(`${name}: ${text}: ${String(err)}`);
  const quiet = () => undefined;
  const logger = { error: say, warn: say, info: quiet, debug: quiet };
  let ports: ModulePorts | undefined;
  const [first, ...others] = slices;
  const noting: Slice = { ...first!, operations: (given) => ((ports = given), []) };
  const module = domainModule({ name, routes: [], slices: [noting, ...others] });
  const leases = documentLeases(documents, (err, reason) => say({ err }, reason), times);
  const encrypted = encryptedEventLog(stored, { vault, catalogue: catalogueOf(module.events ?? []) });
  const log = withKnownEvents(encrypted, { whyUnknown: knownEventsOf(module)!, onUnknown: quiet });
  const watch = new Watch();
  const given = {
    log,
    watch,
    documents,
    channel,
    vault,
    logger,
    leases,
    clock: systemClock,
    ids: systemIds(systemClock),
    rootKeys: [rootKey],
    cursorSecret: 'cursors',
    settings: {},
    trust: {},
  } as unknown as ModulePorts;
  const started = await module.start(given);
  const eraser = await startErasing(given, { name, sources, started, patience: 1_000 });
  return {
    ports: ports!,
    eraser,
    shares() {
      const all = [...Array(lanes).keys()];
      const published = all.filter((lane) => watch.relay(name, lane) !== undefined);
      const projected = all.filter((lane) =>
        started.readModels?.some((model) => model.source === name && model.keeps(lane)),
      );
      return [published.length, projected.length];
    },
    async close() {
      await eraser.close();
      await started.close();
    },
  };
}
