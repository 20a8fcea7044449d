import type { FactSource } from '@lyceum/contracts';
import { incomingFromMessage } from '@lyceum/documents';
import type { DomainEvent } from '@lyceum/kernel';
import { begunTogether } from '../running/begun-together.ts';
import { inOneProcess } from '../running/leases.ts';
import type { ModulePorts } from '../module.ts';
import type { OperatedProcess } from './operated-process.ts';
import { runProcess } from './run-process.ts';
import type { ProcessManager } from './process.ts';

/** A process manager of a service, and its inputs. */
export interface SliceProcess<Settings extends object = Record<never, never>, Own extends object = object> {
  readonly manager: ProcessManager<unknown, DomainEvent, unknown, ModulePorts<Settings> & Own>;
  /** The name of its lease; `process.<name>` when not given. */
  readonly lease?: string;
  /** Services whose facts are inputs. */
  readonly sources?: readonly FactSource[];
  /** Whether the service's own events are inputs; true when not given. */
  readonly takesOwn?: boolean;
}

/** A process manager that is to run in one process of the service. */
export interface Managing {
  /** What operators may do about it; undefined while another process of the service runs it. */
  current(): OperatedProcess | undefined;
  /** Resolves when all that was there at the time of the call is done, as far as it is this process's. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

/** What runs while this process has the lease. */
interface Running extends OperatedProcess {
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

/** Runs a process manager from where it was left off, in one process of the service at a time. */
export async function startProcess<Settings extends object, Own extends object>(
  ports: ModulePorts<Settings> & Own,
  service: string,
  given: SliceProcess<Settings, Own>,
): Promise<Managing> {
  const begin = () => run(ports, service, given);
  const { current, close } = await inOneProcess(ports.leases, given.lease ?? `process.${given.manager.name}`, begin);
  return { current, caughtUp: async () => current()?.caughtUp(), close };
}

async function run<Settings extends object, Own extends object>(
  ports: ModulePorts<Settings> & Own,
  service: string,
  { manager, sources = [], takesOwn = true }: SliceProcess<Settings, Own>,
): Promise<Running> {
  const { name } = manager;
  const { timerPoll: poll } = ports;
  const process = await runProcess(manager, ports, { service, takesOwn, ...(poll === undefined ? {} : { poll }) });
  const hear = async (source: FactSource) => {
    const inputs = await process.inputsOf(source);
    return ports.channel.subscribe({
      consumer: `${service}.process.${name}`,
      source,
      from: (lane, epoch) => inputs.from(lane, epoch),
      diverged: (lane) => inputs.diverged(lane),
      handle: (message) => inputs.take(message.lane, [incomingFromMessage(message)]),
    });
  };
  const subscriptions = await begunTogether(sources.map(hear)).catch(async (error: unknown) => {
    await process.close();
    throw error;
  });
  return {
    name,
    stuck: process.stuck,
    resume: process.resume,
    async caughtUp() {
      await Promise.all(subscriptions.map((each) => each.caughtUp()));
      await process.caughtUp();
    },
    async close() {
      // Inputs may wait for room, which a process that closes does not give.
      await Promise.all([process.close(), ...subscriptions.map((each) => each.close())]);
    },
  };
}
