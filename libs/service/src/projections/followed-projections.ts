import { randomUUID } from 'node:crypto';
import type { Message } from '@lyceum/channel';
import type { FactSource } from '@lyceum/contracts';
import {
  type Documents,
  type Feed,
  type History,
  type Projection,
  type ReadModel,
  type ReadModelOptions,
  incomingFromCommit,
  incomingFromMessage,
  readModel,
} from '@lyceum/documents';
import { type LaneSet, followLog, readWholeLog } from '@lyceum/eventlog';
import { checkpointFrom } from '@lyceum/kernel';
import type { ModulePorts } from '../module.ts';

type ProjectingPorts = Pick<ModulePorts, 'channel' | 'documents' | 'log' | 'logger'> &
  Partial<Pick<ModulePorts, 'clock' | 'vault'>>;

const owners = new WeakMap<Documents, string>();

/** Names this process among those that may build the same read model: a simulation has several, each with documents of its own. */
function ownerWith(documents: Documents): string {
  const owner = owners.get(documents) ?? randomUUID();
  owners.set(documents, owner);
  return owner;
}

/**
 * Keeps a read model up to date with the service's own log. An event that it cannot take parks its stream, and nothing
 * is skipped. A new version is built beside the old one; `previous` keeps that fresh meanwhile. `lanes`: those of this
 * process, where processes share them; one of them builds, in all lanes.
 */
export function projectLog(
  ports: ProjectingPorts,
  service: string,
  projection: Projection,
  previous?: Projection,
  lanes?: LaneSet,
): Promise<ReadModel> {
  const { log, logger, vault } = ports;
  const feed: Feed = ({ from, diverged, handle, batch, name: collection, isWhole, isOnce }) =>
    (isOnce ? readWholeLog : followLog)(log, {
      ...(lanes && !isWhole ? { lanes } : {}),
      from: (lane) => from(lane, log.epoch),
      diverged,
      batch,
      handle: (commits, lane) => handle(lane, commits.map(incomingFromCommit)),
      onError: (err, lane) => logger.error({ err, collection, lane }, 'a projection failed; it tries again'),
    });
  const history: History = async ({ tenant, stream, version, until }) => {
    // What waited may be about a person whom another process has erased since.
    vault?.renew();
    const { commits } = await log.load(tenant, [stream], version);
    return commits
      .filter(({ position }) => position <= until)
      .flatMap((commit) => incomingFromCommit(commit).events)
      .filter((event) => event.stream === stream && event.version > version);
  };
  const shares = lanes && { shares: (lane: number) => lanes.has(lane) };
  return model(ports, { projection, source: service, feed, history, ...(previous ? { previous } : {}), ...shares });
}

/**
 * Keeps a read model up to date with the facts of another service; otherwise as `projectLog`. `before` is waited for before
 * facts are handled.
 */
export function followProjection(
  ports: ProjectingPorts,
  source: FactSource,
  service: string,
  projection: Projection,
  previous?: Projection,
  before?: () => Promise<void>,
): Promise<ReadModel> {
  const { channel } = ports;
  const reached = new Map<number, number>();
  const feed: Feed = ({ from, diverged, handle, name, epoch }) => {
    const handleAll = async (messages: readonly Message[]): Promise<void> => {
      const last = messages.at(-1);
      if (!last) return;
      await before?.();
      await handle(last.lane, messages.map(incomingFromMessage));
      reached.set(last.lane, last.position);
    };
    return channel.subscribe({
      consumer: `${service}.${name}`,
      source,
      mode: 'shared',
      async from(lane, epoch) {
        const at = checkpointFrom(await from(lane, epoch));
        reached.set(lane, at.position);
        return at;
      },
      diverged,
      ...(epoch === undefined
        ? {}
        : { kept: async (lane: number) => ({ at: checkpointFrom(await from(lane, epoch)), epoch }) }),
      handle: (message) => handleAll([message]),
      handleAll,
    });
  };
  const consumer = `${service}.${projection.collection.name}.redrive`;
  const history = factHistory(channel, source, consumer, reached);
  return model(ports, { projection, source, feed, history, ...(previous ? { previous } : {}) });
}

/** Reads facts again from the owner's history; of the other lanes only what is new to everybody. */
const factHistory =
  (channel: ModulePorts['channel'], source: string, consumer: string, reached: ReadonlyMap<number, number>): History =>
  async ({ lane, tenant, stream, version, position, until }) => {
    const found: ReturnType<typeof incomingFromMessage>[] = [];
    const reading = channel.subscribe({
      consumer,
      source,
      from: async (each) => (each === lane ? position - 1 : (reached.get(each) ?? 0)),
      async handle(message) {
        if (message.lane === lane && message.tenant === tenant && message.position <= until)
          found.push(incomingFromMessage(message));
      },
    });
    await reading.caughtUp();
    await reading.close();
    return found.flatMap(({ events }) => events).filter((event) => event.stream === stream && event.version > version);
  };

function model(
  { documents, logger, clock }: ProjectingPorts,
  options: Pick<ReadModelOptions, 'projection' | 'previous' | 'source' | 'feed' | 'history' | 'shares'>,
): Promise<ReadModel> {
  const { name: collection } = options.projection.collection;
  return readModel({
    ...options,
    documents,
    owner: ownerWith(documents),
    ...(clock ? { clock } : {}),
    onParked: ({ lane, position, error }) =>
      logger.error({ err: new Error(error), collection, lane, position }, 'a stream was parked'),
    onError: (err) => logger.error({ err, collection }, 'a read model could not be built; it is begun again'),
  });
}
