import { BoundedMap } from '@lyceum/kernel';
import { type KeyObject, randomBytes } from 'node:crypto';
import { Erased } from '../errors.ts';
import { decrypt, deriveKey, encrypt, opaqueKey } from './cipher.ts';
import type { KeyStore, Searched, Slot, SubjectKey } from './key-store.ts';
import { Wrapping } from './wrapping.ts';

/** The store never held a key that data was encrypted with: the store is not the one that belongs to the log. */
export class KeyMissing extends Error {
  override readonly name = 'KeyMissing';
}

/** A key that was to be taken over meets another one, which would be lost. */
export class KeyTaken extends Error {
  override readonly name = 'KeyTaken';

  constructor(whose: string) {
    super(`${whose} has another key here`);
  }
}

/** Called for an erasure in a school; without a subject, all of the school is erased. */
export type ErasureListener = (tenant: string, subject?: string) => void;

/** A key, or what an erased subject has instead. */
type Held = KeyObject | 'erased';

const cached = 10_000;

/**
 * The data keys of one service. Each subject of a school has a key of its own, wrapped by a key of the school, wrapped by
 * the root key. Keys in use stay in memory, the 10,000 to 20,000 used last, as opaque objects that no log line can show.
 * Throws `Unavailable` when the store cannot be reached, `WrappingKeyMissing` when the root key is not the right one.
 */
export class Vault {
  readonly #store: KeyStore;
  readonly #wrapping: Wrapping;
  readonly #held = new BoundedMap<string, Held>(cached);
  /** Grows when everything held is dropped: what was loaded before is not kept after. */
  #epoch = 0;
  #listeners: readonly ErasureListener[] = [];

  /** The root keys have 32 bytes each: the first wraps, the others are its predecessors. */
  constructor(store: KeyStore, rootKeys: readonly Uint8Array[]) {
    this.#store = store;
    this.#wrapping = new Wrapping(rootKeys);
  }

  /** The key to encrypt a subject's data with; made when there is none. Throws `Erased`. */
  async keyFor(tenant: string, subject: string): Promise<KeyObject> {
    const held = await this.#subject(tenant, subject, true);
    if (held === 'erased') throw new Erased(subject);
    return held;
  }

  /** The key to decrypt a subject's data with; undefined once it is erased. Throws `KeyMissing`. */
  async keyOf(tenant: string, subject: string): Promise<KeyObject | undefined> {
    const held = await this.#subject(tenant, subject, false);
    return held === 'erased' ? undefined : held;
  }

  /** A key of 32 bytes for one purpose in one school: the same as long as the school lives, gone with it. Throws `Erased`. */
  async derive(tenant: string, purpose: string): Promise<KeyObject> {
    const school = await this.#school(tenant, true);
    if (school === 'erased') throw new Erased(tenant);
    return deriveKey(school, `school/${purpose}`);
  }

  /** Destroys a subject's key for ever, here and in the store. May be repeated. */
  async destroy(tenant: string, subject: string): Promise<void> {
    await this.#store.destroy({ tenant, subject });
    this.forget(tenant, subject);
  }

  /** Destroys a school's key and those of all its subjects: nothing personal of the school can be read again. */
  async destroySchool(tenant: string): Promise<void> {
    await this.#store.destroy({ tenant });
    this.#epoch += 1;
    // Keys of its subjects may be among the ones held, under names that only the store knew.
    this.#held.clear();
    this.#held.set(nameOf({ tenant }), 'erased');
    for (const listener of this.#listeners) listener(tenant);
  }

  /** Drops what is held of a subject whose key another process has destroyed, and calls the listeners. */
  forget(tenant: string, subject: string): void {
    const name = nameOf({ tenant, subject });
    // Every reader of the log meets the erasure: the first calls the listeners.
    if (this.#held.get(name) === 'erased') return;
    this.#held.set(name, 'erased');
    for (const listener of this.#listeners) listener(tenant, subject);
  }

  /** Asks the store anew for every key, for work that must not use one that another process has destroyed meanwhile. */
  renew(): void {
    this.#epoch += 1;
    this.#held.clear();
  }

  /** Calls a listener for each subject that is erased, here or elsewhere, so that caches can drop what they hold. */
  onErased(listener: ErasureListener): void {
    this.#listeners = [...this.#listeners, listener];
  }

  /** What the store knows of a subject: undefined = nothing, there never was a key. */
  async keyStatus(tenant: string, subject: string): Promise<'known' | 'erased' | undefined> {
    const stored = await this.#store.get({ tenant, subject });
    if (!stored) return undefined;
    return stored.wrapped === null ? 'erased' : 'known';
  }

  /** Subjects whose key is destroyed but whose erasure is not in the log yet: a crash came between. */
  unreported(limit = 100): Promise<readonly Required<Slot>[]> {
    return this.#store.unreported(limit);
  }

  /** Notes that the log says that the subject is erased. */
  markReported(tenant: string, subject: string): Promise<void> {
    return this.#store.markReported({ tenant, subject });
  }

  /** How far a lane of the log was searched for erasures in an epoch; undefined = not at all. */
  searched(epoch: string, lane: number): Promise<Searched | undefined> {
    return this.#store.searched(epoch, lane);
  }

  /** Keeps how far a lane was searched, where the keys are kept that were destroyed by it. */
  saveSearched(epoch: string, lane: number, searched: Searched): Promise<void> {
    return this.#store.saveSearched(epoch, lane, searched);
  }

  /**
   * Wraps every school key under the current root key. Stopped anywhere, it is simply run again; readers and writers go on
   * meanwhile. Resolves to the number of keys that it wrapped anew: 0 means that no predecessor is needed any more.
   */
  async rewrap(): Promise<number> {
    let count = 0;
    for (let after = '', more = true; more;) {
      const page = await this.#store.schools(after, 100);
      for (const { tenant, wrapped } of page) {
        after = tenant;
        if (this.#wrapping.isCurrent(wrapped)) continue;
        const key = this.#wrapping.unwrap([tenant], wrapped);
        if (await this.#store.replace({ tenant }, wrapped, this.#wrapping.wrap([tenant], key))) count += 1;
      }
      more = page.length > 0;
    }
    return count;
  }

  /**
   * The key of a school as it is, for a move to another installation: it opens everything of the school.
   * Undefined when there is none yet. Throws `Erased`.
   */
  async schoolKey(tenant: string): Promise<Buffer | undefined> {
    const stored = await this.#store.get({ tenant });
    if (stored?.wrapped === null) throw new Erased(tenant);
    return stored && this.#wrapping.unwrap([tenant], stored.wrapped);
  }

  /**
   * Resolves when the key of a school can be opened, or is destroyed. Throws `KeyMissing` when there is none, and
   * `WrappingKeyMissing`.
   */
  async proveSchoolKey(tenant: string): Promise<void> {
    const stored = await this.#store.get({ tenant });
    if (!stored) throw new KeyMissing(`the key store holds no key of ${tenant}`);
    if (stored.wrapped !== null) this.#wrapping.unwrap([tenant], stored.wrapped);
  }

  /** Keys of a school's subjects, wrapped by the school's, ordered by subject, after one; at most `limit`. */
  subjects(tenant: string, after: string, limit: number): Promise<readonly SubjectKey[]> {
    return this.#store.subjects(tenant, after, limit);
  }

  /** Takes a school's key over from another installation. Throws `KeyTaken` when the school has another here. */
  async adopt(tenant: string, key: Uint8Array): Promise<void> {
    const { wrapped } = await this.#store.add({ tenant }, this.#wrapping.wrap([tenant], key));
    if (wrapped === null || !this.#wrapping.unwrap([tenant], wrapped).equals(key)) throw new KeyTaken(tenant);
  }

  /** Takes a subject's key over, wrapped by the school's key; one that was destroyed there is destroyed here. Throws `KeyTaken`. */
  async adoptSubject(tenant: string, { subject, wrapped }: SubjectKey): Promise<void> {
    if (wrapped === null) return this.destroy(tenant, subject);
    const stored = await this.#store.add({ tenant, subject }, wrapped);
    if (stored.wrapped !== null && stored.wrapped !== wrapped) throw new KeyTaken(subject);
  }

  /** Releases the store; keys are no longer held. */
  async close(): Promise<void> {
    this.#held.clear();
    await this.#store.close();
  }

  async #subject(tenant: string, subject: string, make: boolean): Promise<Held> {
    if (subject === '') throw new TypeError('a subject must have an id');
    const slot = { tenant, subject };
    const known = this.#held.get(nameOf(slot));
    if (known) return known;
    const school = await this.#school(tenant, make);
    if (school === 'erased') return school;
    const wrapping = deriveKey(school, 'subject-wrap');
    return this.#load(
      slot,
      make,
      (wrapped) => decrypt(wrapping, [tenant, subject], Buffer.from(wrapped, 'base64url')),
      (key) => encrypt(wrapping, [tenant, subject], key).toString('base64url'),
    );
  }

  async #school(tenant: string, make: boolean): Promise<Held> {
    return (
      this.#held.get(nameOf({ tenant })) ??
      this.#load(
        { tenant },
        make,
        (wrapped) => this.#wrapping.unwrap([tenant], wrapped),
        (key) => this.#wrapping.wrap([tenant], key),
      )
    );
  }

  async #load(
    slot: Slot,
    make: boolean,
    unwrap: (wrapped: string) => Buffer | undefined,
    wrap: (key: Buffer) => string,
  ): Promise<Held> {
    const epoch = this.#epoch;
    const stored =
      (await this.#store.get(slot)) ?? (make ? await this.#store.add(slot, wrap(randomBytes(32))) : undefined);
    if (!stored) throw new KeyMissing(`the key store holds no key of ${slot.subject ?? slot.tenant}`);
    // What was erased while the store was asked stays erased.
    const held = this.#held.get(nameOf(slot));
    if (held) return held;
    const key = stored.wrapped === null ? undefined : unwrap(stored.wrapped);
    if (stored.wrapped !== null && !key) throw new KeyMissing(`the key of ${slot.subject ?? slot.tenant} is damaged`);
    if (epoch !== this.#epoch) return this.#load(slot, make, unwrap, wrap);
    if (!key && slot.subject !== undefined) this.forget(slot.tenant, slot.subject);
    const found = key ? opaqueKey(key) : 'erased';
    this.#held.set(nameOf(slot), found);
    return found;
  }
}

const nameOf = ({ tenant, subject }: Slot): string => JSON.stringify([tenant, subject ?? '']);
