import type { Incoming } from '@lyceum/documents';
import { type Clock, isoTime } from '@lyceum/kernel';
import type { OperatedProcess } from './operations/stuck.ts';

/** An event is shown to operators when it has failed so often in a row. */
const tries = 5;
/** Milliseconds after which a failure that was not repeated is somebody else's: a duty tries again each 5 s at least. */
const passing = 60_000;

interface Fault {
  readonly tenant: string;
  readonly correlation: string;
  readonly error: string;
  readonly since: string;
  readonly failures: number;
  readonly last: number;
}

type Stuck = Awaited<ReturnType<OperatedProcess['stuck']>>;

/** The events that a duty fails at: each holds up what stands behind it in its lane. In memory, of this process. */
export class DutyFaults {
  readonly #clock: Clock;
  readonly #faults = new Map<string, Fault>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Does the work for an event, and takes note of how it went. Throws what the work throws. */
  async attempt(event: Incoming, work: () => Promise<void>): Promise<void> {
    const correlation = `${event.stream}@${event.version}`;
    const key = JSON.stringify([event.tenant, correlation]);
    try {
      await work();
      this.#faults.delete(key);
    } catch (error) {
      const last = this.#clock.now();
      const { failures, since } = this.#faults.get(key) ?? { failures: 0, since: isoTime(last) };
      const told = described(error);
      this.#faults.set(key, { tenant: event.tenant, correlation, error: told, since, failures: failures + 1, last });
      throw error;
    }
  }

  /** What failed too often and still does. */
  stuck(): Stuck {
    const now = this.#clock.now();
    for (const [key, { last }] of this.#faults) if (now - last > passing) this.#faults.delete(key);
    return [...this.#faults.values()]
      .filter(({ failures }) => failures >= tries)
      .map(({ tenant, correlation, error, since }) => ({ tenant, correlation, error, since }));
  }

  /** Begins to count anew. The work is tried again by itself, every few seconds. */
  resume(tenant: string, correlation: string): void {
    this.#faults.delete(JSON.stringify([tenant, correlation]));
  }
}

const described = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500);
