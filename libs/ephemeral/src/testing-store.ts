import type { Ephemeral } from './port.ts';

/** A new, empty store, and the way to let its time pass. */
export interface OpenedEphemeral {
  readonly ephemeral: Ephemeral;
  /** Lets so many milliseconds pass for the store; what passes in reality, a second or so, may add to it. */
  advance(milliseconds: number): void | Promise<void>;
}

/** Opens a store for one test. */
export type Open = () => Promise<OpenedEphemeral>;
