import type { FactSource } from '@lyceum/contracts';
import { type Incoming, incomingFromCommit, incomingFromMessage } from '@lyceum/documents';
import { followLog } from '@lyceum/eventlog';
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
  const begin = () => perform(ports, service, duty);
  if (ports.leases && duty.source === undefined) {
    const wish = ports.leases.contend(`duty.${duty.name}`, begin);
    return {
      current: () => wish.current()?.current(),
      caughtUp: async () => wish.current()?.caughtUp(),
      close: () => wish.close(),
    };
  }
  return begin();
}

/** Does a duty here, until it is closed. */
async function perform<Settings extends object>(
  ports: ModulePorts<Settings>,
  service: string,
  duty: Duty<Settings>,
): Promise<OnDuty> {
  const { documents, clock, logger } = ports;
  const { name, source = service } = duty;
  const closing = new AbortController();
  const pool = new WorkPool();
  const reacting = await Reacting.open(
    {
      name: `duty.${name}`,
      source,
      key: ({ type, stream }) => (duty.events.includes(type) ? stream : undefined),
      perform: (event) => duty.perform(event, ports),
      ...(duty.source === undefined ? { reread: rereadIn(ports.log) } : {}),
    },
    { documents, clock, logger, pool, closing: closing.signal },
  );
  const operated: OperatedProcess = {
    name,
    stuck: async () => reacting.stuck(),
    resume: async (tenant, correlation) => reacting.resume(tenant, correlation),
  };
  const following = follow(ports, service, duty, reacting);
  return {
    current: () => operated,
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

/** Gives the events of the duty's source to what is done about them. */
function follow<Settings extends object>(
  { log, channel, logger }: ModulePorts<Settings>,
  service: string,
  { name, source }: Duty<Settings>,
  reacting: Reacting,
): Pick<OnDuty, 'caughtUp' | 'close'> {
  if (source !== undefined)
    return channel.subscribe({
      consumer: `${service}.${name}`,
      source,
      mode: 'shared',
      from: (lane, life) => reacting.from(lane, life),
      diverged: (lane) => reacting.diverged(lane),
      handle: (message) => reacting.take(message.lane, [incomingFromMessage(message)]),
    });
  return followLog(log, {
    from: (lane) => reacting.from(lane, log.incarnation),
    diverged: (lane) => reacting.diverged(lane),
    handle: (commits) => reacting.take(commits[0]!.lane, commits.map(incomingFromCommit)),
    onError: (err, lane) => logger.error({ err, lane, consumer: name }, 'a reaction cannot follow; it is tried again'),
  });
}
