import { jsonCopy, together } from '@lyceum/kernel';
import { CheckpointFenced, type Collection, type Documents, rowAs } from '../port.ts';

/** One build of a read model: a collection of its own in the store. */
export interface Build {
  readonly version: number;
  /** From 1; a rebuild gets the next number. */
  readonly build: number;
  readonly fields: Collection['fields'];
  /** The epoch of the source's log that it was built from, under the name that is stored: its checkpoints count in that one. */
  readonly life?: string;
}

/** Which builds of a read model there are. */
export interface Pointer {
  /** The build that readers get; undefined until the first is complete. */
  readonly live?: Build;
  /**
   * The build in progress, and the process that makes it. `beat` grows with each sign of life of that process. It is the
   * time of that machine, milliseconds, because releases before this one compare it with theirs: this one only looks
   * whether it changes. `undoes`: what it stores can be taken back to its checkpoints, so that another process can go on
   * with it; builds of releases before this one cannot.
   */
  readonly building?: Build & { readonly owner: string; readonly beat: number; readonly undoes?: true };
  /** Builds that were live, or were given up, with the time since when, milliseconds. They are dropped later. */
  readonly kept: readonly (Build & { readonly since: number; readonly complete: boolean })[];
  /** Number of the next build. */
  readonly next: number;
}

const pointers: Collection = { name: 'pointers', version: 1, fields: {} };
const tenant = '_platform';
const nothing: Pointer = { kept: [], next: 1 };

/** The collection of a build. The first is called like the read model itself. */
export const collectionOf = (name: string, { version, build, fields }: Build): Collection => ({
  name: build === 1 ? name : `${name}.${build}`,
  version,
  fields,
});

/** Pointers in one query: the most that a page of documents has. */
const mostAtOnce = 200;

/** The pointers of each store that this process has opened. */
const known = new WeakMap<Documents, Pointers>();

/** The pointers of all read models, in the documents themselves, so that every process sees them. */
export class Pointers {
  readonly #documents: Documents;

  private constructor(documents: Documents) {
    this.#documents = documents;
  }

  static async open(documents: Documents): Promise<Pointers> {
    await documents.open(pointers);
    const opened = known.get(documents) ?? new Pointers(documents);
    known.set(documents, opened);
    return opened;
  }

  /** What is asked for in one turn of the event loop is read together. */
  readonly read: (name: string) => Promise<Pointer> = together(async (names: readonly string[]) => {
    const found = new Map<string, Pointer>();
    for (let at = 0; at < names.length; at += mostAtOnce) {
      const where = [{ field: 'id', in: names.slice(at, at + mostAtOnce) }];
      const { items } = await this.#documents.query(pointers, tenant, { where, limit: mostAtOnce });
      for (const { id, body } of items) found.set(id, rowAs<Pointer>(body));
    }
    return names.map((name) => found.get(name) ?? nothing);
  });

  /** Changes a pointer atomically: `change` is asked again when another process was faster. Undefined changes nothing. */
  async change(name: string, change: (before: Pointer) => Pointer | undefined): Promise<Pointer> {
    for (;;) {
      // The number of changes so far is the checkpoint, so the store's own fence decides between two processes.
      const changes = await this.#documents.checkpoint(pointers, name, 0);
      const before = await this.read(name);
      const after = change(before);
      if (!after) return before;
      try {
        const body = jsonCopy({ ...after });
        await this.#documents.apply(pointers, name, 0, changes, changes + 1, [{ tenant, id: name, body }]);
        return after;
      } catch (error) {
        if (!(error instanceof CheckpointFenced)) throw error;
      }
    }
  }
}
