import type { FactSource } from '@lyceum/contracts';
import {
  type Collection,
  type Incoming,
  type IncomingCommit,
  incomingFromCommit,
  incomingFromMessage,
  projector,
} from '@lyceum/documents';
import { followLog } from '@lyceum/eventlog';
import type { ModulePorts } from './module.ts';

/**
 * Work that follows from events: an effect outside of the log, or a command to another aggregate. Each event comes at
 * least once, in the order of its lane, also after a crash; a throw is tried again with backoff, and what stands behind
 * it in the lane waits.
 */
export interface Duty<Settings extends object = Record<never, never>> {
  readonly name: string;
  /** Whose events: the facts of this service, or the service's own log when not given. */
  readonly source?: FactSource;
  perform(event: Incoming, ports: ModulePorts<Settings>): Promise<void>;
}

/** A duty that is being done. */
export interface OnDuty {
  /** Resolves when all that was there at the time of the call is done, as far as it is this process's. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

/** Does a duty from where it was left off, in one process of the service at a time. */
export async function startDuty<Settings extends object>(
  ports: ModulePorts<Settings>,
  service: string,
  duty: Duty<Settings>,
): Promise<OnDuty> {
  const { documents, channel, leases, log, logger } = ports;
  const { name, source = service } = duty;
  // A read model without documents: its checkpoint is the place.
  const collection: Collection = { name: `duty.${name}`, version: 1, fields: {} };
  await documents.open(collection);
  const projection = { collection, key: () => undefined, project: () => null };
  const place = projector({ documents, source, projection });
  const handle = async (lane: number, commits: readonly IncomingCommit[]): Promise<void> => {
    for (const commit of commits) {
      for (const event of commit.events) await duty.perform(event, ports);
      await place.handle(lane, [commit]);
    }
  };
  if (duty.source !== undefined)
    return channel.subscribe({
      consumer: `${service}.${name}`,
      source,
      mode: 'shared',
      from: place.from,
      handle: (message) => handle(message.lane, [incomingFromMessage(message)]),
    });
  const follow = () =>
    followLog(log, {
      from: place.from,
      handle: (commits) => handle(commits[0]!.lane, commits.map(incomingFromCommit)),
      onError: (err, lane) => logger.error({ err, lane, consumer: name }, 'a duty failed; it is tried again'),
    });
  if (!leases) return follow();
  const wish = leases.contend(`duty.${name}`, () => Promise.resolve(follow()));
  return { caughtUp: async () => wish.current()?.caughtUp(), close: () => wish.close() };
}
