import { demoAccountId, demoSchoolId } from '@lyceum/contracts';
import { type EventLog, execute, inOneWrite } from '@lyceum/eventlog';
import { type Decider, type DomainEvent, isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import type { ContentPorts } from '../ports/content-ports.ts';

/** With what the demo of this service is written. */
export type DemoPorts = Pick<ContentPorts, 'log' | 'vault' | 'clock' | 'documents' | 'logger'>;

/** One command of the demo. `step` names it where a stream gets several of its type. */
export interface DemoStep<Command> {
  readonly stream: string;
  readonly command: Command;
  /** RFC 3339 UTC. */
  readonly at: string;
  readonly step?: string;
}

const hour = 3_600_000;

/** So many hours later, RFC 3339 UTC. */
export const later = (at: string, hours: number): string => isoTime(Date.parse(at) + hours * hour);

/**
 * A demo school whose content is written. Every commit id is derived, so that what was done is found, after a crash too; what
 * people have changed since is left alone: a command that is rejected is not repeated.
 */
export class DemoSchool {
  readonly id: string;
  readonly slug: string;
  readonly ports: DemoPorts;
  readonly #log: EventLog;
  readonly #erased = new Map<string, Promise<boolean>>();

  /** `log`: of the service, or a copy of what the school has in it. */
  constructor(ports: DemoPorts, slug: string, log: EventLog) {
    this.ports = ports;
    this.slug = slug;
    this.id = demoSchoolId(slug);
    this.#log = log;
  }

  /** The account of somebody, by the local part of their address. */
  account(local: string): string {
    return demoAccountId(this.id, local);
  }

  /** Whether nothing can be written any more of somebody. */
  isErased(local: string): Promise<boolean> {
    const known = this.#erased.get(local) ?? this.#askErased(local);
    this.#erased.set(local, known);
    return known;
  }

  async #askErased(local: string): Promise<boolean> {
    return (await this.ports.vault.keyStatus(this.id, this.account(local))) === 'erased';
  }

  /** Whether a step of a stream was done before. */
  isDone(step: string, stream: string): Promise<boolean> {
    return new DemoWriting(this.#log, this.id).isDone(step, stream);
  }

  /** Does work whose commits are written together: a page with its revisions, a thread with its answers. */
  write(work: (writing: DemoWriting) => Promise<void>): Promise<void> {
    return inOneWrite(this.#log, (log) => work(new DemoWriting(log, this.id)));
  }
}

/** Commits of a demo school that are written together. */
export class DemoWriting {
  readonly log: EventLog;
  readonly #school: string;

  constructor(log: EventLog, school: string) {
    this.log = log;
    this.#school = school;
  }

  /** Brings a command to a stream. Undefined when it is rejected: what follows from it is left out then. */
  async do<State, Command extends { readonly type: string }, Event extends DomainEvent, Code extends string>(
    decider: Decider<State, Command, Event, Code>,
    { stream, command, at, step = command.type }: DemoStep<NoInfer<Command>>,
  ): Promise<State | undefined> {
    const commitId = uuidv5('demo-content', step, stream);
    const request = { tenant: this.#school, stream, command, at, commitId, meta: { actor: 'system' } };
    const done = await execute(this.log, decider, request);
    return isRejection(done) ? undefined : done.state;
  }

  /** Whether a step was done before. */
  async isDone(step: string, stream: string): Promise<boolean> {
    return (await this.log.find(this.#school, uuidv5('demo-content', step, stream))) !== undefined;
  }
}
