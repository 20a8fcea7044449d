import { type Channel, type ToFact, messagesOf } from '@lyceum/channel';
import type { EventLog } from '@lyceum/eventlog';
import type { Checkpoint, RecordedEvent } from '@lyceum/kernel';

/** What a urgent works with. */
interface ShortcutOptions {
  readonly source: string;
  readonly log: Pick<EventLog, 'readLane' | 'wake'>;
  readonly channel: Channel;
  readonly toFact: ToFact<RecordedEvent>;
  /** The facts that nobody may learn late, by type. */
  readonly urgent: ReadonlySet<string>;
  /** Whether the relay of a lane is elsewhere at this moment. */
  readonly isNeeded: (lane: number) => boolean;
}

/** Commits read at once. */
const stride = 256;

/**
 * Publishes urgent facts right where they were written, when the relay runs in another process, which finds them only at
 * its next look. The relay publishes them again: receivers drop the repeat. A message that outruns others names
 * what came before it, so a receiver reads that from the owner. What fails here is left to the relay.
 */
export class UrgentPublisher {
  readonly #options: ShortcutOptions;
  readonly #lanes: Lane[];
  readonly #unsubscribe: () => void;
  #closed = false;

  /** `heads`: where the lanes end now; what is before is the relay's alone. */
  constructor(options: ShortcutOptions, heads: readonly number[]) {
    this.#options = options;
    this.#lanes = heads.map((head) => ({ seen: head, previous: head, rung: false, working: undefined }));
    this.#unsubscribe = options.log.wake((lane) => this.#ring(lane));
  }

  /** Resolves when what is in flight has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#unsubscribe();
    await Promise.all(this.#lanes.map(({ working }) => working));
  }

  #ring(number: number): void {
    const lane = this.#lanes[number];
    if (!lane || this.#closed) return;
    lane.rung = true;
    lane.working ??= this.#work(number, lane).finally(() => (lane.working = undefined));
  }

  async #work(number: number, lane: Lane): Promise<void> {
    while (lane.rung && !this.#closed) {
      lane.rung = false;
      await this.#publish(number, lane).catch(() => undefined);
    }
  }

  async #publish(number: number, lane: Lane): Promise<void> {
    const { source, log, channel, toFact, urgent, isNeeded } = this.#options;
    const commits = await log.readLane(number, lane.seen, stride);
    const next = messagesOf(source, commits, lane.previous, toFact);
    lane.seen = commits.at(-1)?.position ?? lane.seen;
    lane.previous = next.previous;
    lane.rung ||= commits.length === stride;
    const pressing = next.messages.filter(({ facts }) => facts.some(({ type }) => urgent.has(type)));
    if (pressing.length > 0 && isNeeded(number)) await channel.publish(pressing);
  }
}

/** Where a lane was read up to. */
interface Lane {
  seen: number;
  /** The position of the last commit that may have had facts. */
  previous: number | Checkpoint;
  rung: boolean;
  working: Promise<void> | undefined;
}
