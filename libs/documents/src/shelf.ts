import { checkFields } from './fields.ts';
import type { Incoming } from './incoming.ts';
import type { Documents, Write } from './port.ts';
import type { Projection } from './projection.ts';

interface Entry {
  body: Write['body'];
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
export class Shelf {
  readonly #documents: Documents;
  readonly #projection: Projection;
  readonly #tenants = new Map<string, Map<string, Entry>>();
  #size = 0;
  #changed = 0;

  constructor(documents: Documents, projection: Projection) {
    this.#documents = documents;
    this.#projection = projection;
  }

  /** Documents held, and how many of them wait to be written. */
  get size(): number {
    return this.#size;
  }

  get changed(): number {
    return this.#changed;
  }

  /** Folds one event. Synchronous when its document is at hand. Throws `EventRefused`, which leaves the shelf as it was. */
  take(event: Incoming): void | Promise<void> {
    const id = this.#key(event);
    if (id === undefined) return;
    const entry = this.#tenants.get(event.tenant)?.get(id);
    if (entry) this.#project(event, entry);
    else return this.#fetch(event, id);
  }

  /** What changed since the last time, to be written. The bodies stay at hand. */
  writes(): readonly Write[] {
    const writes: Write[] = [];
    for (const [tenant, entries] of this.#tenants)
      for (const [id, entry] of entries)
        if (entry.changed) {
          writes.push({ tenant, id, body: entry.body });
          entry.changed = false;
        }
    this.#changed = 0;
    return writes;
  }

  /** Forgets everything. */
  clear(): void {
    this.#tenants.clear();
    this.#size = this.#changed = 0;
  }

  async #fetch(event: Incoming, id: string): Promise<void> {
    const { tenant } = event;
    const body = (await this.#documents.get(this.#projection.collection, tenant, id)) ?? null;
    const entry: Entry = { body, changed: false };
    const entries = this.#tenants.get(tenant) ?? new Map<string, Entry>();
    this.#tenants.set(tenant, entries.set(id, entry));
    this.#size += 1;
    this.#project(event, entry);
  }

  #key(event: Incoming): string | undefined {
    try {
      return this.#projection.key(event);
    } catch (cause) {
      throw new EventRefused(event, cause);
    }
  }

  #project(event: Incoming, entry: Entry): void {
    try {
      const body = this.#projection.project(event, entry.body ?? undefined);
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
