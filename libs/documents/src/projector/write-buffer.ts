import { erasedSubject } from '@lyceum/kernel';
import { type Erasure, concerns, erasableIds } from '../erasure.ts';
import { checkFields, checkKey } from '../collection/fields.ts';
import type { Incoming } from './incoming.ts';
import type { Document, Documents, Write } from '../port.ts';
import type { Folding, Projection } from '../projection.ts';

interface Entry {
  body: Write['body'];
  /** What is stored, when nothing else has written it since; null = nothing. */
  stored: Write['body'];
  changed: boolean;
}

/** A projection threw, or made a document that contradicts its declaration. */
export class EventRefused extends Error {
  readonly event: Incoming;

  constructor(event: Incoming, cause: unknown) {
    super('a projection refused an event', { cause });
    this.event = event;
  }
}

/** The documents that a lane's events are being folded over, each read once and written once. */
export class WriteBuffer {
  readonly #documents: Documents;
  readonly #projection: Projection;
  readonly #tenants = new Map<string, Map<string, Entry>>();
  /** Nothing of the lane is stored yet, so nothing has to be read. */
  #isFirst: boolean;
  #size = 0;
  #changed = 0;

  constructor(documents: Documents, projection: Projection, { isFirst = false } = {}) {
    this.#documents = documents;
    this.#projection = projection;
    this.#isFirst = isFirst;
  }

  /** Documents held, and how many of them wait to be written. */
  get size(): number {
    return this.#size;
  }

  get changed(): number {
    return this.#changed;
  }

  /** Folds one event. Synchronous when its document is at hand. Throws `EventRefused`, which leaves the buffer as it was. */
  take(event: Incoming): void | Promise<void> {
    const { erase, fold } = this.#projection;
    if (erase && event.type === 'SubjectErased') return this.#erase(event, erase);
    if (fold) return this.#fold(event, fold);
    const id = this.#key(event);
    if (id === undefined) return;
    const entry = this.#held(event.tenant, id) ?? this.#readNow(event.tenant, id);
    if (entry) this.#project(event, entry);
    else return this.#fetch(event, id);
  }

  /** What changed since the last time, to be written. The bodies stay at hand. */
  writes(): readonly Write[] {
    const writes: Write[] = [];
    for (const [tenant, entries] of this.#tenants)
      for (const [id, entry] of entries)
        if (entry.changed) {
          const { body, stored: before } = entry;
          writes.push(before ? { tenant, id, body, before } : { tenant, id, body });
          entry.stored = body;
          entry.changed = false;
        }
    this.#changed = 0;
    return writes;
  }

  /** Forgets everything, which has been written. */
  clear(): void {
    this.#isFirst = false;
    this.#tenants.clear();
    this.#size = this.#changed = 0;
  }

  /** Takes a person out of all documents, whether they are stored or only here. */
  async #erase(event: Incoming, erase: Erasure): Promise<void> {
    const { tenant } = event;
    const subject = erasedSubject(event)!;
    for (const id of await erasableIds(this.#documents, this.#projection.collection, erase, tenant, subject))
      if (!this.#tenants.get(tenant)?.has(id)) await this.#read(tenant, id);
    for (const [id, entry] of this.#tenants.get(tenant) ?? [])
      if (entry.body && concerns(erase, id, entry.body, subject))
        this.#change(event, entry, (body) => erase.forget?.(body!, subject) ?? null);
  }

  /** Undefined when it takes time. */
  #readNow(tenant: string, id: string): Entry | undefined {
    if (this.#isFirst) return this.#keep(tenant, id, null);
    const { getNow } = this.#documents;
    return getNow && this.#keep(tenant, id, getNow(this.#projection.collection, tenant, id) ?? null);
  }

  async #fetch(event: Incoming, id: string): Promise<void> {
    this.#project(event, await this.#read(event.tenant, id));
  }

  async #read(tenant: string, id: string): Promise<Entry> {
    const stored = this.#isFirst ? undefined : await this.#documents.get(this.#projection.collection, tenant, id);
    return this.#keep(tenant, id, stored ?? null);
  }

  #keep(tenant: string, id: string, body: Write['body']): Entry {
    const entry: Entry = { body, stored: body, changed: false };
    const entries = this.#tenants.get(tenant) ?? new Map<string, Entry>();
    this.#tenants.set(tenant, entries.set(id, entry));
    this.#size += 1;
    return entry;
  }

  #key(event: Incoming): string | undefined {
    return refusing(event, () => {
      const id = this.#projection.key(event);
      // Checked here as well as at the write, as fields are: an import may have brought an event with an empty id.
      if (id !== undefined) checkKey(event.tenant, id);
      return id;
    });
  }

  #project(event: Incoming, entry: Entry): void {
    this.#change(event, entry, (before) => this.#projection.project(event, before));
  }

  #held(tenant: string, id: string): Entry | undefined {
    return this.#tenants.get(tenant)?.get(id);
  }

  /** Folds an event over several documents, at once as long as they are at hand. */
  #fold(event: Incoming, fold: NonNullable<Projection['fold']>): void | Promise<void> {
    const folding = refusing(event, () => fold(event));
    if (!folding) return;
    let asked = this.#next(event, folding);
    while (!asked.done) {
      const entry = this.#held(event.tenant, asked.value) ?? this.#readNow(event.tenant, asked.value);
      if (!entry) return this.#foldLater(event, folding, asked.value);
      asked = this.#next(event, folding, entry.body);
    }
    this.#put(event, asked.value);
  }

  async #foldLater(event: Incoming, folding: Folding, first: string): Promise<void> {
    let asked: IteratorResult<string, ReadonlyMap<string, Write['body']>> = { done: false, value: first };
    while (!asked.done) {
      const { body } = this.#held(event.tenant, asked.value) ?? (await this.#read(event.tenant, asked.value));
      asked = this.#next(event, folding, body);
    }
    this.#put(event, asked.value);
  }

  #next(event: Incoming, folding: Folding, body: Write['body'] = null) {
    return refusing(event, () => {
      const asked = folding.next(body ?? undefined);
      if (!asked.done) checkKey(event.tenant, asked.value);
      return asked;
    });
  }

  /** Takes all of the new bodies, or none of them. */
  #put(event: Incoming, bodies: ReadonlyMap<string, Write['body']>): void {
    refusing(event, () => {
      for (const [id, body] of bodies) {
        if (!this.#held(event.tenant, id)) throw new TypeError(`${id} is written without having been read`);
        if (body) checkFields(this.#projection.collection, body);
      }
    });
    for (const [id, body] of bodies) this.#set(this.#held(event.tenant, id)!, body);
  }

  #set(entry: Entry, body: Write['body']): void {
    entry.body = body;
    if (!entry.changed) this.#changed += 1;
    entry.changed = true;
  }

  #change(event: Incoming, entry: Entry, change: (before: Document | undefined) => Document | null): void {
    const body = refusing(event, () => {
      const made = change(entry.body ?? undefined);
      // Checked here as well as at the write, so that the failure names the event.
      if (made) checkFields(this.#projection.collection, made);
      return made;
    });
    this.#set(entry, body);
  }
}

/** Whatever the projection throws names the event that it could not take. */
function refusing<T>(event: Incoming, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new EventRefused(event, cause);
  }
}
