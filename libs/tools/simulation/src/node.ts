import {
  type EventLog,
  Vault,
  catalogueOf,
  encryptedEventLog,
  mongodbEventLog,
  withKnownEvents,
} from '@lyceum/eventlog';
import { systemIds } from '@lyceum/kernel';
import {
  type ModulePorts,
  type Slice,
  type Started,
  documentLeases,
  domainModule,
  knownEventsOf,
} from '@lyceum/service';
import { type Eraser, startErasing } from '@lyceum/operations';
import { type FollowedTrust, followTrust } from '@lyceum/internal-api';
import { type ChannelClient, channelClient } from './servers/channel-client.ts';
import { documentClient } from './servers/document-client.ts';
import { ownTime } from './running/globals.ts';
import type { Release } from './services/releases.ts';
import type { Owner } from './running/task-queue.ts';
import type { ServiceName, World } from './world.ts';

/** A process of a service that serves. */
export interface Serving {
  readonly ports: ModulePorts;
  readonly started: Started;
  readonly eraser: Eraser;
  readonly trust: FollowedTrust['trust'];
}

/** A process of a service: from its start to its crash. */
export class Node implements Owner {
  readonly name: string;
  readonly service: ServiceName;
  readonly release: Release;
  readonly skew: number;
  dead = false;
  stopped = false;
  /** Undefined until it has started. */
  serving: Serving | undefined;
  channel: ChannelClient | undefined;

  constructor(name: string, service: ServiceName, release: Release, skew: number) {
    this.name = name;
    this.service = service;
    this.release = release;
    this.skew = skew;
  }
}

/** Milliseconds that a start waits for read models before it serves all the same. */
const patience = 2_000;

const rootKey = Buffer.alloc(32, 7);
const times = { beat: 1_000, look: 1_000, lifetime: 4_000 };

/** Starts a process, in the order in which `run` puts it together. */
export async function boot(world: World, node: Node): Promise<void> {
  const { service } = node;
  const servers = world.servers[service];
  const stored = await mongodbEventLog({ url: `simulated:${node.name}`, database: service, lanes: world.lanes });
  const documents = documentClient(servers.documents);
  const vault = new Vault(servers.keys.client({ close: async () => undefined }), [rootKey]);
  const slices = node.release[service];
  const logger = loggerOf(world, node);
  const channel = (node.channel = channelClient(world.reachOf(node)));
  const clock = { now: ownTime };
  const trust = followTrust({ channel, clock, documents, onError: (error) => logger.error({ err: error }, 'trust') }, [
    'school',
  ]);
  let ports: ModulePorts | undefined;
  const module = domainModule({
    name: service,
    routes: [],
    slices: [capturing(slices, (given) => (ports = given))].flat(),
  });
  const encrypted = encryptedEventLog(stored, { vault, catalogue: catalogueOf(module.events ?? []) });
  const leases = documentLeases(documents, (err) => logger.error({ err }, 'lease'), times);
  const whyUnknown = knownEventsOf(module)!;
  const log: EventLog = withKnownEvents(encrypted, { whyUnknown, onUnknown: () => leases.stepAside?.() });
  const given = {
    log,
    documents,
    channel,
    vault,
    clock,
    logger,
    ids: systemIds(clock),
    trust: trust.trust,
    mail: world.mail.client(),
    rootKeys: [rootKey],
    cursorSecret: 'cursors',
    settings: {},
    ...(world.mutations.has('A6') ? {} : { leases }),
  } as unknown as ModulePorts;
  const started = await module.start(given);
  await Promise.race([started.ready?.(), new Promise((resolve) => setTimeout(resolve, patience))]);
  const eraser = await startErasing(given, { name: service, sources: ['school'].filter(isOther(service)), started });
  node.serving = { ports: ports!, started, eraser, trust: trust.trust };
}

const isOther =
  (service: string) =>
  (source: string): source is 'school' =>
    source !== service;

/** The slices, of which the first tells the ports that operations get. */
const capturing = ([first, ...others]: readonly Slice[], capture: (ports: ModulePorts) => void): readonly Slice[] => [
  {
    ...first!,
    operations: (ports) => {
      capture(ports);
      return [];
    },
  },
  ...others,
];

function loggerOf(world: World, node: Node): ModulePorts['logger'] {
  const say = ({ err }: { err?: unknown }, text: string): void =>
    world.note(`${text}: ${err instanceof Error ? `${err.name} ${err.message}` : String(err)}`, node);
  const logger = { error: say, warn: say, info: () => undefined, debug: () => undefined, child: () => logger };
  return logger as unknown as ModulePorts['logger'];
}
