import type { FactSource } from '@lyceum/contracts';
import { type Incoming, type IncomingCommit, incomingFromCommit, incomingFromMessage } from '@lyceum/documents';
import { followLog } from '@lyceum/eventlog';
import { DutyFaults } from './duty-faults.ts';
import { LanePlaces } from './lane-places.ts';
import type { ModulePorts } from './module.ts';
import type { OperatedProcess } from './operations/stuck.ts';

/**
 * Work that follows from events: an effect outside of the log, or a command to another aggregate. Each event comes at
 * least once, in the order of its lane, also after a crash; a throw is tried again with backoff, and what stands behind
 * it in the lane waits. After 5 failures in a row operators see it; it goes on trying by itself.
 */
export interface Duty<Settings extends object = Record<never, never>> {
  readonly name: string;
  /** Whose events: the facts of this service, or the service's own log when not given. */
  readonly source?: FactSource;
  /** The types of the events that it gets. */
  readonly events: readonly string[];
  perform(event: Incoming, ports: ModulePorts<Settings>): Promise<void>;
}

/** A duty that is being done. */
export interface OnDuty {
  /** What operators may do about it; undefined while another process of the service does it. */
  current(): OperatedProcess | undefined;
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
  const faults = new DutyFaults(ports.clock);
  const operated: OperatedProcess = {
    name,
    stuck: async () => faults.stuck(),
    resume: async (tenant, correlation) => faults.resume(tenant, correlation),
  };
  const current = () => operated;
  const places = await LanePlaces.open(documents, source, `duty.${name}`);
  const handle = async (lane: number, commits: readonly IncomingCommit[]): Promise<void> => {
    for (const { position, events } of commits) {
      const own = events.filter(({ type }) => duty.events.includes(type));
      for (const event of own) await faults.attempt(event, () => duty.perform(event, ports));
      if (own.length > 0) await places.save(lane, position);
    }
    await places.saveSometimes(lane, commits.at(-1)!.position);
  };
  if (duty.source !== undefined) {
    const subscribed = await channel.subscribe({
      consumer: `${service}.${name}`,
      source,
      mode: 'shared',
      from: (lane, life) => places.from(lane, life),
      handle: (message) => handle(message.lane, [incomingFromMessage(message)]),
    });
    return { current, caughtUp: () => subscribed.caughtUp(), close: () => subscribed.close() };
  }
  const follow = () =>
    followLog(log, {
      from: (lane) => places.from(lane, log.incarnation),
      handle: (commits) => handle(commits[0]!.lane, commits.map(incomingFromCommit)),
      onError: (err, lane) => logger.error({ err, lane, consumer: name }, 'a duty failed; it is tried again'),
    });
  if (!leases) {
    const following = follow();
    return { current, caughtUp: () => following.caughtUp(), close: () => following.close() };
  }
  const wish = leases.contend(`duty.${name}`, () => Promise.resolve(follow()));
  return {
    current: () => wish.current() && operated,
    caughtUp: async () => wish.current()?.caughtUp(),
    close: () => wish.close(),
  };
}
