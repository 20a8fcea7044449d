import type { Collection, Documents, Incoming } from '@lyceum/documents';

/** An event that something is still to follow from, by its place in a lane of a source. */
export interface Owed {
  /** The epoch of the source's log; `life` in what is stored. */
  readonly epoch: string | null;
  readonly lane: number;
  readonly position: number;
  /** Its place among the events of its commit. */
  readonly index: number;
  readonly tenant: string;
  /** What follows from events of one tenant and key follows in order. */
  readonly key: string;
  /** What operators know it by. */
  readonly correlation: string;
  /** The trace that its commit was made in. */
  readonly traceparent?: string | undefined;
}

/** One that failed too often, or waits behind such a one. */
export interface Held extends Owed {
  readonly source: string;
  /** What it threw; null while it only waits. */
  readonly error: string | null;
  readonly since: string;
  /** The fact itself, where it cannot be read again. Facts name no person. */
  readonly event: Incoming | null;
}

/** Kept under a tenant that no school can be. */
const heldTenant = '_held';
const pageSize = 200;

type Id = Pick<Held, 'source' | 'epoch' | 'lane' | 'position' | 'index'>;

const idOf = ({ source, epoch, lane, position, index }: Id): string =>
  JSON.stringify([source, epoch, lane, position, index]);

/** What a reaction still owes behind its checkpoints: documents, so that its checkpoints can go on. */
export class HeldWork {
  readonly #documents: Documents;
  readonly #collection: Collection;

  private constructor(documents: Documents, collection: Collection) {
    this.#documents = documents;
    this.#collection = collection;
  }

  /** What is held under a name. */
  static async open(documents: Documents, name: string): Promise<HeldWork> {
    const collection: Collection = { name: `${name}.held`, version: 1, fields: { lane: 'number' } };
    await documents.open(collection);
    return new HeldWork(documents, collection);
  }

  /** From now on it is owed, whatever becomes of this process. */
  hold(held: Held): Promise<void> {
    const { epoch, ...rest } = held;
    return this.#write(idOf(held), { life: epoch, ...rest });
  }

  /** It is owed no more. */
  release(held: Id): Promise<void> {
    return this.#write(idOf(held), null);
  }

  /** Whether it is owed still; another process may have done it. */
  async has(held: Id): Promise<boolean> {
    return (await this.#documents.get(this.#collection, heldTenant, idOf(held))) !== undefined;
  }

  /** What is held of a lane of a source in one epoch of its log, in the order of the lane. */
  async of(source: string, epoch: string | null, lane: number): Promise<readonly Held[]> {
    const all: Held[] = [];
    for (let after: string | undefined, more = true; more;) {
      const page = await this.#documents.query(this.#collection, heldTenant, {
        where: [{ field: 'lane', is: lane }],
        limit: pageSize,
        ...(after === undefined ? {} : { after: { value: null, id: after } }),
      });
      all.push(...page.items.map(({ body: { life, ...held } }) => ({ ...held, epoch: life }) as Held));
      more = page.more;
      after = page.items.at(-1)?.id;
    }
    return all
      .filter((held) => held.source === source && held.epoch === epoch)
      .sort((one, other) => one.position - other.position || one.index - other.index);
  }

  async #write(id: string, body: Record<string, unknown> | null): Promise<void> {
    // Each document belongs to one process at a time, so no checkpoint has to guard it: this one never moves.
    await this.#documents.apply(this.#collection, 'held', 0, 0, 0, [{ tenant: heldTenant, id, body }]);
  }
}
