import type { DomainEvent, EventOf } from '@lyceum/kernel';
import { z } from 'zod';

const issued = z.object({ version: z.int(), index: z.int() });

/** What the interpreter itself writes into the stream of a process, beside the events that the process declares. */
export const processEvents = {
  /** The process has seen this event of a source: its commit's position, and its place in the commit. */
  InputTaken: {
    version: 1,
    data: z.object({ source: z.string(), lane: z.int(), position: z.int(), index: z.int() }),
  },
  /** Commands to be carried out, in order. */
  CommandsIssued: { version: 1, data: z.object({ commands: z.array(z.unknown()).min(1) }) },
  /** The command was refused for good; `code` is that of the rejection. */
  CommandRejected: { version: 1, data: issued.extend({ code: z.string() }) },
  /**
   * The command failed. `retry`: it is tried again by itself at `at`, and fails since `since`, both RFC 3339 UTC; absent:
   * an operator looks into it.
   */
  ProcessStuck: {
    version: 1,
    data: issued.extend({ error: z.string(), retry: z.object({ at: z.string(), since: z.string() }).optional() }),
  },
  /** The command is tried again: it is time, or an operator wants it. */
  ProcessResumed: { version: 1, data: issued },
  /** RFC 3339 UTC. Setting a timer again moves it. */
  TimerSet: { version: 1, data: z.object({ timer: z.string(), due: z.string() }) },
  TimerFired: { version: 1, data: z.object({ timer: z.string() }) },
  TimerCanceled: { version: 1, data: z.object({ timer: z.string() }) },
} as const;

/** An event that the interpreter writes. */
export type ProcessEvent = EventOf<typeof processEvents>;

/** Whether the interpreter wrote an event, rather than the process that it is of. */
export const isProcessEvent = (event: DomainEvent): event is ProcessEvent => Object.hasOwn(processEvents, event.type);
