import type { FactSource } from '@lyceum/contracts';
import { CheckpointFenced, type Collection, type Documents, type Write } from '@lyceum/documents';
import type { Clock } from '@lyceum/kernel';
import type { TrustMemory, TrustState } from '@lyceum/oauth';

/** What a keeper works with. */
export interface TrustKeeperOptions {
  readonly documents: Documents;
  readonly state: TrustState;
  readonly clock: Clock;
  /** Hears of each failed save; the next one saves what this one did not. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds between saves, at least; 1000 when not given. */
  readonly saveEvery?: number;
}

/** Where news of trust comes from: a lane of a source, in one life of its log. */
interface Part {
  readonly key: string;
  readonly source: FactSource;
  readonly lane: number;
  readonly life: string;
  /** The place that is stored, and the one that is known. */
  stored: number;
  known: number;
  readonly writes: Map<string, Write>;
  /** When stored pieces end, milliseconds. */
  readonly ends: Map<string, number>;
}

const collection: Collection = { name: 'trust', version: 2, fields: { source: 'text', life: 'text', lane: 'number' } };
const tenant = '_platform';
/** Where it is kept that nothing of a life is missing: no lane, so that releases before do not look there. */
const completeLane = -1;
const pageSize = 200;
/** Messages without anything to keep that move the stored place all the same. */
const idleStride = 200;

/**
 * Keeps trust in the documents, so that a start reads only the facts that are new. Of several processes that share the
 * documents, whoever comes first saves; all have heard the same. A place counts in one life of a source's log only:
 * what another life said is unlearned and deleted.
 */
export class TrustKeeper {
  readonly #options: TrustKeeperOptions;
  readonly #parts = new Map<string, Part>();
  readonly #lives = new Map<FactSource, string>();
  /** Lives of sources of which it is stored that nothing is missing, and sources of which it is to be. */
  readonly #completed = new Set<string>();
  readonly #toComplete = new Set<FactSource>();
  #opened: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: TrustKeeperOptions) {
    this.#options = options;
  }

  /**
   * Recalls what is kept of a source before it can be asked itself. False when that is not all that it had said at some
   * time, or not of one life of its log: then it is of no use.
   */
  async recall(source: FactSource): Promise<boolean> {
    await this.#open();
    const lives = new Set<string>();
    for await (const { body } of this.#found({ field: 'source', is: source }, { field: 'lane', is: completeLane }))
      lives.add(body['life'] as string);
    const [life] = lives;
    if (life === undefined || lives.size > 1) return false;
    for await (const document of this.#found({ field: 'source', is: source }, { field: 'life', is: life }))
      this.#learn(document);
    this.#lives.set(source, life);
    this.#completed.add(`${source}@${life}`);
    return true;
  }

  /** The life of its log in which a source is known; undefined before it is. */
  life(source: FactSource): string | undefined {
    return this.#lives.get(source);
  }

  /** All that the source had said at some time in this life is known: with the next save, a start can go by it alone. */
  complete(source: FactSource): void {
    const life = this.#lives.get(source);
    if (life === undefined || this.#completed.has(`${source}@${life}`)) return;
    this.#toComplete.add(source);
    this.#saveSoon();
  }

  /** Recalls what is kept of a lane, and gives its place. Without a life of the log nothing is kept. */
  async from(source: FactSource, lane: number, life: string | undefined): Promise<number> {
    const { documents } = this.#options;
    const before = this.#lives.get(source);
    if (before !== undefined && before !== life) this.#forget(source);
    if (life === undefined) return 0;
    this.#lives.set(source, life);
    await this.#open();
    const key = `${source}@${life}`;
    // The place first: what is added between the two reads comes once more.
    const stored = await documents.checkpoint(collection, key, lane);
    const part: Part = { key, source, lane, life, stored, known: stored, writes: new Map(), ends: new Map() };
    await this.#recall(part);
    if (lane === 0) await this.#deleteOtherLives(part);
    this.#parts.set(`${source}/${lane}`, part);
    return stored;
  }

  /** Takes note of a message, and of what in it is to be kept. */
  took(source: FactSource, lane: number, position: number, memories: readonly TrustMemory[]): void {
    const part = this.#parts.get(`${source}/${lane}`);
    if (!part) return;
    part.known = position;
    for (const { id: name, until, body } of memories) {
      const id = `${part.life}.${name}`;
      const { life } = part;
      part.writes.set(id, { tenant, id, body: { source, life, lane, name, body, ...(until ? { until } : {}) } });
      if (until === undefined) part.ends.delete(id);
      else part.ends.set(id, until);
    }
    if (part.writes.size > 0 || part.known - part.stored >= idleStride) this.#saveSoon();
  }

  /** Saves what is known. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#saving;
    await this.#save();
  }

  #open(): Promise<void> {
    return (this.#opened ??= this.#options.documents.open(collection).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    }));
  }

  #forget(source: FactSource): void {
    this.#options.state.forget(source);
    this.#toComplete.delete(source);
    for (const [name, part] of this.#parts) if (part.source === source) this.#parts.delete(name);
  }

  #saveSoon(): void {
    if (this.#closed) return;
    const { saveEvery = 1_000 } = this.#options;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#saving = this.#saving.then(() => this.#save());
    }, saveEvery);
  }

  async #save(): Promise<void> {
    for (const part of [...this.#parts.values()].filter(({ known, stored }) => known > stored))
      try {
        await this.#savePart(part);
      } catch (error) {
        this.#options.onError(error);
        this.#saveSoon();
      }
    for (const source of this.#toComplete) await this.#saveComplete(source);
  }

  /** Writes down that nothing is missing, once that is so of what is stored. */
  async #saveComplete(source: FactSource): Promise<void> {
    const [part] = [...this.#parts.values()].filter((each) => each.source === source && each.lane === 0);
    if (!part || [...this.#parts.values()].some((each) => each.source === source && each.known > each.stored)) return;
    const { key, life, stored } = part;
    const body = { source, life, lane: completeLane };
    try {
      const write = { tenant, id: `${life}.complete.${source}`, body };
      await this.#options.documents.apply(collection, key, 0, stored, stored, [write]);
      this.#completed.add(key);
      this.#toComplete.delete(source);
    } catch (error) {
      if (error instanceof CheckpointFenced) part.stored = await this.#options.documents.checkpoint(collection, key, 0);
      else this.#options.onError(error);
      this.#saveSoon();
    }
  }

  async #savePart(part: Part): Promise<void> {
    const { documents, clock } = this.#options;
    const { key, lane, known, stored } = part;
    const over = [...part.ends].filter(([, until]) => until <= clock.now()).map(([id]) => id);
    for (const id of over) part.writes.set(id, { tenant, id, body: null });
    const writes = new Map(part.writes);
    try {
      await documents.apply(collection, key, lane, stored, known, [...writes.values()]);
    } catch (error) {
      if (!(error instanceof CheckpointFenced)) throw error;
      part.stored = await documents.checkpoint(collection, key, lane);
      if (part.stored < known) return this.#savePart(part);
    }
    part.stored = Math.max(part.stored, known);
    for (const id of over) part.ends.delete(id);
    for (const [id, write] of writes) if (part.writes.get(id) === write) part.writes.delete(id);
  }

  async #recall(part: Part): Promise<void> {
    const { source, life, lane } = part;
    for await (const document of this.#found(
      { field: 'source', is: source },
      { field: 'life', is: life },
      { field: 'lane', is: lane },
    )) {
      const until = this.#learn(document);
      if (until !== undefined) part.ends.set(document.id, until);
    }
  }

  /** Takes in what is kept, unless it is over, and tells when it is. */
  #learn({ body }: { readonly body: Readonly<Record<string, unknown>> }): number | undefined {
    const { state, clock } = this.#options;
    if (body['lane'] === completeLane) return undefined;
    const memory = { ...body, id: body['name'] } as unknown as TrustMemory;
    if (memory.until === undefined || memory.until > clock.now()) state.recall(memory);
    return memory.until;
  }

  /** Deletes what the log said in lives before this one. */
  async #deleteOtherLives({ key, source, life, lane, stored }: Part): Promise<void> {
    for (const other of [{ below: life }, { above: life }]) {
      const gone: Write[] = [];
      for await (const { id } of this.#found({ field: 'source', is: source }, { field: 'life', ...other }))
        gone.push({ tenant, id, body: null });
      if (gone.length > 0) await this.#options.documents.apply(collection, key, lane, stored, stored, gone);
    }
  }

  async *#found(...where: NonNullable<Parameters<Documents['query']>[2]['where']>) {
    let after: { value: string; id: string } | undefined;
    for (;;) {
      const query = { where, limit: pageSize, ...(after ? { after } : {}) };
      const { items, more } = await this.#options.documents.query(collection, tenant, query);
      yield* items;
      const last = items.at(-1)?.id;
      if (!more || last === undefined) return;
      after = { value: last, id: last };
    }
  }
}
