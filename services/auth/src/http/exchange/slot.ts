/**
 * Names something that a step finds out for the steps after it. The module that finds it out declares the slot; an
 * exchange holds at most one value in each.
 */
export interface Slot<T> {
  /** For the message about a step that comes too early. */
  readonly name: string;
  /** Never set: it keeps slots of different types apart. */
  readonly holds?: T;
}

/** Declares a slot. Two slots of one name are two slots. */
export const slot = <T>(name: string): Slot<T> => ({ name });
