import { erasedSubject } from '@lyceum/kernel';
import { type Erasure, concerns, erasableIds } from '../erasure.ts';
import { checkFields, checkKey } from '../collection/fields.ts';
import type { Incoming } from './incoming.ts';
import type { Document, Documents, Write } from '../port.ts';
import type { Projection } from '../projection.ts';

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
    const { erase } = this.#projection;
    if (erase && event.type === 'SubjectErased') return this.#erase(event, erase);
    const id = this.#key(event);
    if (id === undefined) return;
    const entry = this.#tenants.get(event.tenant)?.get(id) ?? this.#readNow(event.tenant, id);
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
    try {
      const id = this.#projection.key(event);
      // Checked here as well as at the write, as fields are: an import may have brought an event with an empty id.
      if (id !== undefined) checkKey(event.tenant, id);
      return id;
    } catch (cause) {
      throw new EventRefused(event, cause);
    }
  }

  #project(event: Incoming, entry: Entry): void {
    this.#change(event, entry, (before) => this.#projection.project(event, before));
  }

  #change(event: Incoming, entry: Entry, change: (before: Document | undefined) => Document | null): void {
    try {
      const body = change(entry.body ?? undefined);
      // Checked here as well as at the write, so that the failure names the event.
      if (body) checkFields(this.#projection.collection, body);
      entry.body = body;
    } catch (cause) {
      throw new EventRefused(event, cause);
    }
    if (!entry.changed) this.#changed += 1;
    entry.changed = true;
  }
}
