import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Collection,
  type Incoming,
  type IncomingCommit,
  incomingFromCommit,
  liveDocuments,
  projector,
  readModel,
} from '@lyceum/documents';
import { type Following, execute, fold, followLog } from '@lyceum/eventlog';
import { type DomainEvent, type Rejection, isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import type { ModulePorts } from '../module.ts';
import { type Issued, type ProcessCommand, processDecider } from './process-decider.ts';
import type { ProcessEvent } from './process-events.ts';
import {
  type PendingTimer,
  type StuckProcess,
  dueTimers,
  indexed,
  processIndex,
  stuckProcesses,
} from './process-index.ts';
import { type ProcessManager, correlationOf, processStream } from './process.ts';

type ProcessPorts = Pick<ModulePorts, 'log' | 'documents' | 'clock' | 'logger'>;

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

const usualTries = 5;
const usualPoll = 1_000;
const usualBackoff = (failures: number): number => Math.min(50 * 2 ** failures, 2_000);
const meta = { actor: 'system' } as const;

/**
 * Interprets a process manager: what it hears becomes one commit of its stream, and its commands are carried out from
 * there, so a crash between any two steps repeats the rest and doubles nothing. Timers fire from the index by one look a
 * second at the clock as it is then: a restart or a clock that steps moves them, and each fires once.
 */
export async function runProcess<State, Event extends DomainEvent, Command>(
  manager: ProcessManager<State, Event, Command>,
  ports: ProcessPorts,
  options: ProcessOptions,
): Promise<RunningProcess> {
  const running = new Runner(manager, ports, options);
  await running.open();
  return running;
}

class Runner<State, Event extends DomainEvent, Command> implements RunningProcess {
  readonly #manager: ProcessManager<State, Event, Command>;
  readonly #ports: ProcessPorts;
  readonly #options: ProcessOptions;
  readonly #decider: ReturnType<typeof processDecider<State, Event, Command>>;
  readonly #place: Collection;
  readonly #closing = new AbortController();
  #following: Following | undefined;
  #index: Following | undefined;
  #reader: ModulePorts['documents'] | undefined;
  #polling: Promise<void> | undefined;

  constructor(manager: ProcessManager<State, Event, Command>, ports: ProcessPorts, options: ProcessOptions) {
    this.#manager = manager;
    this.#ports = ports;
    this.#options = options;
    this.#decider = processDecider(manager);
    this.#place = { name: `process.${manager.name}.place`, version: 1, fields: {} };
  }

  async open(): Promise<void> {
    const { log, documents, logger } = this.#ports;
    const { name } = this.#manager;
    const { service } = this.#options;
    await documents.open(this.#place);
    // A read model without documents: its checkpoint is the place up to which commands were carried out.
    const place = projector({
      documents,
      source: service,
      projection: { collection: this.#place, key: () => undefined, project: () => null },
    });
    this.#index = await readModel({
      documents,
      projection: processIndex(name),
      source: service,
      owner: randomUUID(),
      feed: ({ from, handle, batch }) =>
        followLog(log, {
          from: (lane) => from(lane, log.incarnation),
          batch,
          handle: (commits) => handle(commits[0]!.lane, indexed(name, commits.map(incomingFromCommit))),
        }),
    });
    this.#reader = await liveDocuments(documents, { ttl: 100 });
    this.#following = followLog(log, {
      from: place.from,
      handle: async (commits) => {
        const { lane } = commits[0]!;
        const incoming = commits.map(incomingFromCommit);
        for (const commit of incoming) await this.#hear(lane, commit);
        await place.handle(lane, incoming);
      },
      onError: (err, lane) => logger.error({ err, lane, consumer: name }, 'a process failed; it tries again'),
    });
    this.#polling = this.#poll();
  }

  async take(source: string, lane: number, { position, events }: IncomingCommit): Promise<void> {
    for (const [index, event] of events.entries()) {
      const correlation = this.#manager.correlate(event);
      if (correlation === undefined) continue;
      const { name } = this.#manager;
      const commitId = uuidv5('process-input', source, lane, position, index, name);
      const place = { source, lane, position, index };
      await this.#execute(event.tenant, correlation, commitId, { do: 'take', event, place, now: event.at });
    }
  }

  async fireDue(): Promise<void> {
    const now = isoTime(this.#ports.clock.now());
    for (const due of await dueTimers(this.#reader!, this.#manager.name, now))
      // One process that cannot take its timer must not keep all others from theirs.
      await this.#fire(due, now).catch((err: unknown) =>
        this.#report(err, 'a timer could not be fired; it is tried again'),
      );
  }

  stuck(): Promise<readonly StuckProcess[]> {
    return stuckProcesses(this.#reader!, this.#manager.name);
  }

  async resume(tenant: string, correlation: string): Promise<void> {
    await this.#execute(tenant, correlation, randomUUID(), { do: 'resume' });
  }

  async caughtUp(): Promise<void> {
    await this.#following!.caughtUp();
    await this.#index!.caughtUp();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#polling, this.#following?.close(), this.#index?.close()]);
  }

  /** A commit of the service's own log: an input, or commands to carry out. */
  async #hear(lane: number, commit: IncomingCommit): Promise<void> {
    if (this.#options.hearsOwn !== false) await this.take(this.#options.service, lane, commit);
    for (const event of commit.events) {
      const correlation = correlationOf(this.#manager.name, event.stream);
      if (correlation === undefined) continue;
      const { type, data } = event as unknown as ProcessEvent;
      if (type === 'CommandsIssued')
        for (const [index, command] of data.commands.entries())
          await this.#carryOut(event, correlation, command as Command, { version: event.version, index });
      if (type === 'ProcessResumed') {
        const { state } = await fold(this.#ports.log, this.#decider, event.tenant, event.stream);
        await this.#carryOut(event, correlation, state.issued[data.version]![data.index]!, data);
      }
    }
  }

  async #carryOut({ tenant, version }: Incoming, correlation: string, command: Command, issued: Issued): Promise<void> {
    const { name } = this.#manager;
    const own = [tenant, name, correlation, issued.version, issued.index] as const;
    const order = {
      tenant,
      correlation,
      meta,
      at: isoTime(this.#ports.clock.now()),
      commitId: uuidv5('process-command', ...own),
    };
    const outcome = await this.#tried(() => this.#manager.carryOut(command, order));
    if (outcome instanceof Failed) {
      const { name: kind, message } = outcome.cause as Error;
      const error = `${kind}: ${message}`.slice(0, 500);
      // One round of tries ends once: `version` is that of the event that asked for this round.
      const commitId = uuidv5('process-stuck', ...own, version);
      await this.#execute(tenant, correlation, commitId, { do: 'stick', issued, error });
    } else if (isRejection(outcome)) {
      const commitId = uuidv5('process-rejected', ...own);
      const { rejected: code } = outcome;
      await this.#execute(tenant, correlation, commitId, { do: 'reject', issued, code, now: order.at });
    }
  }

  /** Tries as often as the process allows. Throws only when closed meanwhile. */
  async #tried(work: () => Promise<Rejection | object>): Promise<Rejection | object | Failed> {
    const { tries = usualTries } = this.#manager;
    const { backoff = usualBackoff } = this.#options;
    for (let failures = 1; ; failures += 1)
      try {
        return await work();
      } catch (error) {
        this.#closing.signal.throwIfAborted();
        if (failures >= tries) return new Failed(error);
        await pause(backoff(failures), undefined, { signal: this.#closing.signal });
      }
  }

  async #fire({ tenant, correlation, timer, version }: PendingTimer, now: string): Promise<void> {
    const commitId = uuidv5('process-timer', tenant, this.#manager.name, correlation, timer, version);
    await this.#execute(tenant, correlation, commitId, { do: 'fire', timer, version, now });
  }

  async #execute(tenant: string, correlation: string, commitId: string, command: ProcessCommand): Promise<void> {
    const { log, clock } = this.#ports;
    const stream = processStream(this.#manager.name, correlation);
    await execute(log, this.#decider, { tenant, stream, command, at: isoTime(clock.now()), meta, commitId });
  }

  #report(err: unknown, message: string): void {
    this.#ports.logger.error({ err, consumer: this.#manager.name }, message);
  }

  async #poll(): Promise<void> {
    const { poll = usualPoll } = this.#options;
    while (!this.#closing.signal.aborted) {
      await pause(poll, undefined, { signal: this.#closing.signal }).catch(() => undefined);
      if (this.#closing.signal.aborted) return;
      try {
        await this.fireDue();
      } catch (err) {
        this.#report(err, 'due timers could not be read; they are tried again');
      }
    }
  }
}

/** A command that failed as often as it may. */
class Failed {
  readonly cause: unknown;

  constructor(cause: unknown) {
    this.cause = cause;
  }
}
