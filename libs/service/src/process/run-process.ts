import { setMaxListeners } from 'node:events';
import { randomUUID } from 'node:crypto';
import { type Incoming, incomingFromCommit, liveDocuments, readModel } from '@lyceum/documents';
import { type Following, followLog, readWholeLog } from '@lyceum/eventlog';
import { type DomainEvent, uuidv5 } from '@lyceum/kernel';
import type { Owed } from '../reactions/held-work.ts';
import { Reacting } from '../reactions/reacting.ts';
import type { LaneReaction } from '../reactions/lane-reaction.ts';
import { rereadIn } from '../reactions/reread.ts';
import { type PoolLimits, WorkPool } from '../reactions/work-pool.ts';
import { ProcessCommands } from './process-commands.ts';
import { type StuckProcess, indexed, processIndex, stuckProcesses } from './process-index.ts';
import { type ProcessPorts, ProcessStreams } from './process-stream.ts';
import { ProcessTimers } from './process-timers.ts';
import { type ProcessManager, correlationOf } from './process.ts';

/** How a process manager runs. */
export interface ProcessOptions {
  /** The service whose log this is. */
  readonly service: string;
  /** Whether the service's own events are inputs; true when not given. */
  readonly takesOwn?: boolean;
  /** Milliseconds between looks for due timers; 1000 when not given. */
  readonly poll?: number;
  /** Milliseconds before the next try at once of a command after so many failures. */
  readonly backoff?: (failures: number) => number;
  /** How much is carried out at a time. */
  readonly limits?: Partial<PoolLimits>;
}

/** A running process manager. */
export interface RunningProcess {
  /** Takes the facts of another service, lane by lane, from where it was left off; a repeat changes nothing. */
  inputsOf(source: string): Promise<Inputs>;
  /** Fires what is due now. The poller does so by itself. */
  fireDue(): Promise<void>;
  /** What operators have to look into. */
  stuck(): Promise<readonly StuckProcess[]>;
  /** Has what failed of a stuck process tried again. */
  resume(tenant: string, correlation: string): Promise<void>;
  /** Resolves when everything in the log at the time of the call has been taken, carried out and indexed. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

/** Takes the facts of one source. */
export type Inputs = Pick<Reacting, 'from' | 'diverged' | 'take' | 'idle'>;

/**
 * Interprets a process manager: an input becomes one commit of its stream, and its commands are carried out from
 * there, so a crash between any two steps repeats the rest and doubles nothing. A pool does both, side by side for all
 * processes and in order for each: no lane waits for a command. Timers fire from the index by one look a second at the
 * clock as it is then: a restart or a clock that steps moves them, and each fires once. So are commands that failed
 * tried again. Where the index has not changed and its first timer is not due, the look is spared.
 */
export async function runProcess<State, Event extends DomainEvent, Command, Ports extends ProcessPorts>(
  manager: ProcessManager<State, Event, Command, Ports>,
  ports: Ports,
  options: ProcessOptions,
): Promise<RunningProcess> {
  const { name } = manager;
  const closing = new AbortController();
  // Each lane may wait for it.
  setMaxListeners(0, closing.signal);
  const { poll, backoff, service, limits } = options;
  const streams = new ProcessStreams(manager, ports);
  const pool = new WorkPool(limits);
  const given = { ...ports, pool, closing: closing.signal, backoff };
  const commands = new ProcessCommands(manager, ports, streams, {
    ...(backoff ? { backoff } : {}),
    closing: closing.signal,
  });
  const take = async (source: string, event: Incoming, { lane, position, index, key }: Owed): Promise<void> => {
    const commitId = uuidv5('process-input', source, lane, position, index, name);
    const place = { source, lane, position, index };
    await streams.execute(event.tenant, key, commitId, { do: 'take', event, place, now: event.at });
  };
  const reacting: Reacting[] = [];
  const react = async (reaction: Omit<LaneReaction, 'name'>) => {
    const begun = await Reacting.open({ ...reaction, name: `process.${name}.place` }, given);
    reacting.push(begun);
    return begun;
  };
  const own = await react({
    source: service,
    key: (event) => commandsOf(name, event) ?? (options.takesOwn === false ? undefined : manager.correlate(event)),
    correlation: (event) => commandsOf(name, event) ?? manager.correlate(event)!,
    perform: (event, place) =>
      commandsOf(name, event) === undefined ? take(service, event, place) : commands.carryOut(event),
    reread: rereadIn(ports.log),
  });
  const reader = await liveDocuments(ports.documents, { ttl: 2_000 });
  // The last that may fail: from here on something goes on.
  let changes = 0;
  const index = await followIndex(name, ports, service, () => (changes += 1));
  let heard = 0;
  const following = hearOwn(name, ports, own, () => (heard += 1));
  const timers = new ProcessTimers(streams, {
    name,
    ports,
    pool,
    index: reader,
    changes: () => changes,
    built: index.built(),
    ...(poll === undefined ? {} : { poll }),
    closing: closing.signal,
  });
  return {
    inputsOf: (source) =>
      react({
        source,
        key: (event) => manager.correlate(event),
        correlation: (event) => manager.correlate(event)!,
        perform: (event, place) => take(source, event, place),
      }),
    fireDue: () => timers.fireDue(),
    stuck: async () => [...(await stuckProcesses(reader, name)), ...reacting.flatMap((each) => each.stuck())],
    async resume(tenant, correlation) {
      for (const each of reacting) each.resume(tenant, correlation);
      await streams.execute(tenant, correlation, randomUUID(), { do: 'resume' });
    },
    async caughtUp() {
      const idle = () => Promise.all(reacting.map((each) => each.idle()));
      // Facts of other services become commands in the own log, and so does what follows from these.
      await idle();
      for (let before = -1; before !== heard;) {
        before = heard;
        await following.caughtUp();
        await idle();
      }
      await index.caughtUp();
    },
    async close() {
      closing.abort();
      await pool.close();
      await Promise.all([timers.done, following.close(), index.close()]);
      await Promise.all(reacting.map((each) => each.close()));
    },
  };
}

/** The process whose commands an event asks for; undefined for other events. */
const commandsOf = (name: string, { type, stream }: Incoming): string | undefined =>
  type === 'CommandsIssued' || type === 'ProcessResumed' ? correlationOf(name, stream) : undefined;

/** Keeps the index of pending timers and stuck processes; tells when it has changed. */
function followIndex(
  name: string,
  { log, documents }: ProcessPorts,
  source: string,
  changed: () => void,
): ReturnType<typeof readModel> {
  return readModel({
    documents,
    projection: processIndex(name),
    source,
    owner: randomUUID(),
    feed: ({ from, diverged, handle, batch, isOnce }) =>
      (isOnce ? readWholeLog : followLog)(log, {
        from: (lane) => from(lane, log.epoch),
        diverged,
        batch,
        async handle(commits, lane) {
          const own = indexed(name, commits.map(incomingFromCommit));
          await handle(lane, own);
          if (own.some(({ events }) => events.length > 0)) changed();
        },
      }),
  });
}

/** Gives every commit of the service's own log to what follows from it, from where it was left off; `heard` is called after each batch. */
const hearOwn = (name: string, { log, logger }: ProcessPorts, own: Reacting, heard: () => void): Following =>
  followLog(log, {
    from: (lane) => own.from(lane, log.epoch),
    diverged: (lane) => own.diverged(lane),
    async handle(commits, lane) {
      await own.take(lane, commits.map(incomingFromCommit));
      heard();
    },
    onError: (err, lane) => logger.error({ err, lane, consumer: name }, 'a process cannot follow; it tries again'),
  });
