import { execute, fold } from '@lyceum/eventlog';
import { type DomainEvent, isoTime } from '@lyceum/kernel';
import type { ModulePorts } from '../module.ts';
import { type Process, type ProcessCommand, processDecider } from './process-decider.ts';
import { type ProcessManager, processStream } from './process.ts';

/** What the interpreter itself needs. */
export type ProcessPorts = Pick<ModulePorts, 'log' | 'documents' | 'clock' | 'logger' | 'tracer'>;

/** In whose name the interpreter writes. */
export const actor = { actor: 'system' } as const;

/** The streams of one kind of process. */
export class ProcessStreams<State, Event extends DomainEvent, Command> {
  readonly #ports: ProcessPorts;
  readonly #name: string;
  readonly #decider: ReturnType<typeof processDecider<State, Event, Command>>;

  constructor(manager: ProcessManager<State, Event, Command, never>, ports: ProcessPorts) {
    this.#ports = ports;
    this.#name = manager.name;
    this.#decider = processDecider(manager);
  }

  /** Has something happen to a process; written once under its commit id. */
  async execute(tenant: string, correlation: string, commitId: string, command: ProcessCommand): Promise<void> {
    const { log, clock } = this.#ports;
    const stream = processStream(this.#name, correlation);
    await execute(log, this.#decider, { tenant, stream, command, at: isoTime(clock.now()), meta: actor, commitId });
  }

  /** What is known of a process now. */
  async state(tenant: string, correlation: string): Promise<Process<State, Command>> {
    return (await fold(this.#ports.log, this.#decider, tenant, processStream(this.#name, correlation))).state;
  }
}
