/** The place of a wrapped key: a subject's, or the school's own when `subject` is absent. */
export interface Slot {
  readonly tenant: string;
  readonly subject?: string;
}

/** What a slot holds: a wrapped key, or null once it was destroyed. Destroyed is for ever. */
export interface StoredKey {
  readonly wrapped: string | null;
}

/** A school with its wrapped key. */
export interface SchoolKey {
  readonly tenant: string;
  readonly wrapped: string;
}

/** A subject with its wrapped key; null once it was destroyed. */
export interface SubjectKey extends StoredKey {
  readonly subject: string;
}

/** How far a lane of the log has been searched for erasures: the commit there shows whether it is still the same lane. */
export interface Searched {
  readonly position: number;
  readonly commitId: string;
}

/**
 * Where wrapped keys live, apart from the log, so that what one backup keeps the other can forget. Knows nothing about
 * ciphers. Durable: what a call has resolved survives a crash. Throws `Unavailable` when the engine cannot be reached.
 */
export interface KeyStore {
  /** What the slot holds; undefined when it never held a key. */
  get(slot: Slot): Promise<StoredKey | undefined>;
  /** Stores the key of an empty slot. Resolves to what the slot holds then: of two writers, one wins for both. */
  add(slot: Slot, wrapped: string): Promise<StoredKey>;
  /** Stores another wrapping of the same key. False, and no change, when the slot no longer holds `from`. */
  replace(slot: Slot, from: string, to: string): Promise<boolean>;
  /**
   * Destroys the key so that no byte of it is left in the store, and keeps the slot closed; a school's slot takes all keys
   * of its subjects along. Also closes a slot that was empty. May be repeated.
   */
  destroy(slot: Slot): Promise<void>;
  /** Schools with a key, ordered by tenant, after one; at most `limit`. */
  schools(after: string, limit: number): Promise<readonly SchoolKey[]>;
  /** Subjects of a school, ordered, after one; at most `limit`. None once the school's own key is destroyed. */
  subjects(tenant: string, after: string, limit: number): Promise<readonly SubjectKey[]>;
  /** Destroyed subjects that nobody has reported with `markReported` yet, at most `limit`. */
  unreported(limit: number): Promise<readonly Required<Slot>[]>;
  /** Notes that the log says that the subject is erased. May be repeated. */
  markReported(slot: Required<Slot>): Promise<void>;
  /**
   * How far a lane was searched for erasures in a log epoch; undefined = not at all. Kept beside the keys, so that a store
   * that comes from a backup, with keys that have been destroyed since, also comes with a search that goes on from there.
   */
  searched(epoch: string, lane: number): Promise<Searched | undefined>;
  /** Keeps how far a lane was searched. Of two that do so at once, one is kept. */
  saveSearched(epoch: string, lane: number, searched: Searched): Promise<void>;
  close(): Promise<void>;
}
