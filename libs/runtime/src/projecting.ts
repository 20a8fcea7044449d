import type { Subscribed } from '@lyceum/channel';
import type { FactSource } from '@lyceum/contracts';
import { type Projection, incomingFromCommit, incomingFromMessage, projector } from '@lyceum/documents';
import { type Following, followLog } from '@lyceum/eventlog';
import type { ModulePorts } from './module.ts';

type ProjectingPorts = Pick<ModulePorts, 'channel' | 'documents' | 'log' | 'logger'>;

/** Keeps a read model up to date with the service's own log. A failure holds the lane back and is tried again: nothing is skipped. */
export async function projectLog(ports: ProjectingPorts, service: string, projection: Projection): Promise<Following> {
  const { documents, log, logger } = ports;
  const { name: collection } = projection.collection;
  await documents.open(projection.collection);
  const { from, handle } = projector({ documents, projection, source: service });
  return followLog(log, {
    from,
    handle: (commits) => handle(commits[0]!.lane, commits.map(incomingFromCommit)),
    onError: (err, lane) => logger.error({ err, collection, lane }, 'a projection failed; it tries again'),
  });
}

/** Keeps a read model up to date with the facts of another service, from where the documents stand. */
export async function followProjection(
  { documents, channel }: ProjectingPorts,
  source: FactSource,
  service: string,
  projection: Projection,
): Promise<Subscribed> {
  await documents.open(projection.collection);
  const { from, handle } = projector({ documents, projection, source });
  return channel.subscribe({
    consumer: `${service}.${projection.collection.name}`,
    source,
    from,
    handle: (message) => handle(message.lane, [incomingFromMessage(message)]),
  });
}
