import type { Heads } from '../port.ts';

/** How an inbox waits, and what it calls when something goes wrong. */
export interface InboxOptions {
  /** Milliseconds before the next try after `failures` failures in a row. Default: 50 ms doubled each time, at most 5 s. */
  readonly backoff?: (failures: number) => number;
  /** Milliseconds of silence after which the owner's history is read, so that a lost last message is noticed. Default: never. */
  readonly idle?: number;
  /** The epoch of the owner's log at this moment, and where its lanes end; asked at the start, and again when it may be another log. */
  readonly heads?: () => Promise<Heads | undefined>;
  /** The owner's log was replaced, as this lane shows: all lanes of the subscription are to begin anew (`restart`). */
  readonly onDiverged?: () => void;
  /** Called for each failed try; the inbox goes on by itself. */
  readonly onError?: (error: unknown, at: InboxPlace) => void;
  /** Called for each message that was handled before, and is dropped. */
  readonly onDuplicate?: (at: InboxPlace) => void;
  /** Called for each message before which something is missing, and is read from the owner's history. */
  readonly onGap?: (at: InboxPlace) => void;
}

/** Whose lane it is. */
export interface InboxPlace {
  readonly consumer: string;
  readonly source: string;
  readonly lane: number;
}

/** Milliseconds before the next try, when nothing else is said. */
export const defaultBackoff = (failures: number): number => Math.min(50 * 2 ** (failures - 1), 5_000);
