import { setMaxListeners } from 'node:events';
import type { FactSource } from '@lyceum/contracts';
import { type Incoming, incomingFromCommit, incomingFromMessage } from '@lyceum/documents';
import { followLog } from '@lyceum/eventlog';
import { inOneProcess } from '../running/leases.ts';
import type { ModulePorts } from '../module.ts';
import type { OperatedProcess } from '../process/operated-process.ts';
import { Reacting } from './reacting.ts';
import { rereadIn } from './reread.ts';
import { WorkPool } from './work-pool.ts';

/**
 * Work that follows from events: an effect outside of the log, or a command to another aggregate. Each event comes at
 * least once, in the order of its stream, also after a crash; a throw is tried again with backoff, and only what stands
 * behind it in its stream waits. After 5 failures in a row operators see it; it goes on trying by itself.
 */
export interface Reaction<Settings extends object = Record<never, never>> {
  readonly name: string;
  /** Whose events: the facts of this service, or the service's own log when not given. */
  readonly source?: FactSource;
  /** The types of the events that it gets. */
  readonly events: readonly string[];
  /** What events are in the order of, one behind the other: their stream when not given. */
  inOrderOf?(event: Incoming): string;
  /** `closing`: it is to stop where it can go on later, by a throw, which counts as no failure then. */
  perform(event: Incoming, ports: ModulePorts<Settings>, closing: AbortSignal): Promise<void>;
}

/** A reaction that is being done. */
export interface RunningReaction {
  /** What operators may do about it; undefined while another process of the service does it. */
  current(): OperatedProcess | undefined;
  /** Resolves when all that was there at the time of the call is done, as far as it is this process's. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

/** Does a reaction from where it was left off, in one process of the service at a time. */
export async function startReaction<Settings extends object>(
  ports: ModulePorts<Settings>,
  service: string,
  reaction: Reaction<Settings>,
): Promise<RunningReaction> {
  // Lanes of another service's facts are shared out by the channel.
  const leases = reaction.source === undefined ? ports.leases : undefined;
  const { current, close } = await inOneProcess(leases, `duty.${reaction.name}`, () =>
    perform(ports, service, reaction),
  );
  return { current: () => current()?.operated, caughtUp: async () => current()?.caughtUp(), close };
}

/** Does a reaction here, until it is closed. */
async function perform<Settings extends object>(
  ports: ModulePorts<Settings>,
  service: string,
  reaction: Reaction<Settings>,
): Promise<Omit<RunningReaction, 'current'> & { readonly operated: OperatedProcess }> {
  const { documents, clock, logger, tracer } = ports;
  const { name, source = service, inOrderOf = ({ stream }) => stream } = reaction;
  const closing = new AbortController();
  // Each lane may wait for it.
  setMaxListeners(0, closing.signal);
  const pool = new WorkPool();
  const reacting = await Reacting.open(
    {
      name: `duty.${name}`,
      source,
      key: (event) => (reaction.events.includes(event.type) ? inOrderOf(event) : undefined),
      perform: (event) => reaction.perform(event, ports, closing.signal),
      ...(reaction.source === undefined ? { reread: rereadIn(ports.log) } : {}),
    },
    { documents, clock, logger, tracer, pool, closing: closing.signal },
  );
  const operated: OperatedProcess = {
    name,
    stuck: async () => reacting.stuck(),
    resume: async (tenant, correlation) => reacting.resume(tenant, correlation),
  };
  const following = follow(ports, service, reaction, reacting);
  return {
    operated,
    async caughtUp() {
      await following.caughtUp();
      await reacting.idle();
    },
    async close() {
      closing.abort();
      await pool.close();
      await following.close();
      await reacting.close();
    },
  };
}

/** Gives the events of the source to the reaction. */
function follow<Settings extends object>(
  { log, channel, logger }: ModulePorts<Settings>,
  service: string,
  { name, source }: Reaction<Settings>,
  reacting: Reacting,
): Pick<RunningReaction, 'caughtUp' | 'close'> {
  if (source !== undefined)
    return channel.subscribe({
      consumer: `${service}.${name}`,
      source,
      mode: 'shared',
      from: (lane, epoch) => reacting.from(lane, epoch),
      diverged: (lane) => reacting.diverged(lane),
      handle: (message) => reacting.take(message.lane, [incomingFromMessage(message)]),
    });
  return followLog(log, {
    from: (lane) => reacting.from(lane, log.epoch),
    diverged: (lane) => reacting.diverged(lane),
    handle: (commits, lane) => reacting.take(lane, commits.map(incomingFromCommit)),
    onError: (err, lane) => logger.error({ err, lane, consumer: name }, 'a reaction cannot follow; it is tried again'),
  });
}
