import { randomUUID } from 'node:crypto';
import { type Documents, type IncomingCommit, incomingFromCommit, liveDocuments, readModel } from '@lyceum/documents';
import { type Following, followLog } from '@lyceum/eventlog';
import { type DomainEvent, uuidv5 } from '@lyceum/kernel';
import { LanePlaces } from '../lane-places.ts';
import { ProcessCommands } from './process-commands.ts';
import { type StuckProcess, indexed, processIndex, stuckProcesses } from './process-index.ts';
import { type ProcessPorts, ProcessStreams } from './process-stream.ts';
import { ProcessTimers } from './process-timers.ts';
import type { ProcessManager } from './process.ts';

/** How a process manager runs. */
export interface ProcessOptions {
  /** The service whose log this is. */
  readonly service: string;
  /** Whether the service's own events are inputs; true when not given. */
  readonly hearsOwn?: boolean;
  /** Milliseconds between looks for due timers; 1000 when not given. */
  readonly poll?: number;
  /** Milliseconds before the next try of a command after so many failures. */
  readonly backoff?: (failures: number) => number;
}

/** A running process manager. */
export interface RunningProcess {
  /** Gives it the events of a commit of another service, in order; a repeat changes nothing. */
  take(source: string, lane: number, commit: IncomingCommit): Promise<void>;
  /** Fires what is due now. The poller does so by itself. */
  fireDue(): Promise<void>;
  /** What operators have to look into. */
  stuck(): Promise<readonly StuckProcess[]>;
  /** Has the commands of a stuck process tried again. */
  resume(tenant: string, correlation: string): Promise<void>;
  /** Resolves when everything in the log at the time of the call has been heard, carried out and indexed. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Interprets a process manager: what it hears becomes one commit of its stream, and its commands are carried out from
 * there, so a crash between any two steps repeats the rest and doubles nothing. Timers fire from the index by one look a
 * second at the clock as it is then: a restart or a clock that steps moves them, and each fires once.
 */
export async function runProcess<State, Event extends DomainEvent, Command, Ports extends ProcessPorts>(
  manager: ProcessManager<State, Event, Command, Ports>,
  ports: Ports,
  options: ProcessOptions,
): Promise<RunningProcess> {
  const { name } = manager;
  const closing = new AbortController();
  const { poll, backoff, service } = options;
  const streams = new ProcessStreams(manager, ports);
  const commands = new ProcessCommands(manager, ports, streams, {
    ...(backoff ? { backoff } : {}),
    closing: closing.signal,
  });
  const take = async (source: string, lane: number, { position, events }: IncomingCommit): Promise<void> => {
    for (const [index, event] of events.entries()) {
      const correlation = manager.correlate(event);
      if (correlation === undefined) continue;
      const commitId = uuidv5('process-input', source, lane, position, index, name);
      const place = { source, lane, position, index };
      await streams.execute(event.tenant, correlation, commitId, { do: 'take', event, place, now: event.at });
    }
  };
  const index = await followIndex(name, ports, service);
  const reader = await liveDocuments(ports.documents, { ttl: 100 });
  const following = await hearOwn(name, ports, service, async (lane, commit) => {
    if (options.hearsOwn !== false) await take(service, lane, commit);
    for (const event of commit.events) await commands.hear(event);
  });
  const timers = new ProcessTimers(streams, {
    name,
    ports,
    index: reader,
    built: index.built(),
    ...(poll === undefined ? {} : { poll }),
    closing: closing.signal,
  });
  return {
    take,
    fireDue: () => timers.fireDue(),
    stuck: () => stuckProcesses(reader, name),
    resume: (tenant, correlation) => streams.execute(tenant, correlation, randomUUID(), { do: 'resume' }),
    async caughtUp() {
      await following.caughtUp();
      await index.caughtUp();
    },
    async close() {
      closing.abort();
      await Promise.all([timers.done, following.close(), index.close()]);
    },
  };
}

/** Keeps the index of pending timers and stuck processes. */
function followIndex(name: string, { log, documents }: ProcessPorts, source: string): ReturnType<typeof readModel> {
  return readModel({
    documents,
    projection: processIndex(name),
    source,
    owner: randomUUID(),
    feed: ({ from, handle, batch }) =>
      followLog(log, {
        from: (lane) => from(lane, log.incarnation),
        batch,
        handle: (commits) => handle(commits[0]!.lane, indexed(name, commits.map(incomingFromCommit))),
      }),
  });
}

/** The places in a source up to which everything is done. */
export const processPlaces = (name: string, documents: Documents, source: string): Promise<LanePlaces> =>
  LanePlaces.open(documents, source, `process.${name}.place`);

/** Gives every commit of the service's own log to `hear`, from where it was left off. */
async function hearOwn(
  name: string,
  { log, documents, logger }: ProcessPorts,
  service: string,
  hear: (lane: number, commit: IncomingCommit) => Promise<void>,
): Promise<Following> {
  const places = await processPlaces(name, documents, service);
  return followLog(log, {
    from: (lane) => places.from(lane, log.incarnation),
    handle: async (commits) => {
      const { lane } = commits[0]!;
      for (const commit of commits) await hear(lane, incomingFromCommit(commit));
      await places.save(lane, commits.at(-1)!.position);
    },
    onError: (err, lane) => logger.error({ err, lane, consumer: name }, 'a process failed; it tries again'),
  });
}
