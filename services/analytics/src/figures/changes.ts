import type { Document } from '@lyceum/documents';

/** Work on documents: asks for one by its id, and gets its body. */
export type Editing<Result = void> = Generator<string, Result, Document | undefined>;

/** The documents that change because of one event, each read once. */
export class Changes {
  readonly #bodies = new Map<string, Document | null>();

  /** The new bodies so far. */
  get bodies(): ReadonlyMap<string, Document | null> {
    return this.#bodies;
  }

  /** A document as it is after what has changed so far. */
  *read<Row extends object>(id: string): Editing<Row | undefined> {
    const changed = this.#bodies.get(id);
    const body = changed === undefined ? yield id : (changed ?? undefined);
    return body as Row | undefined;
  }

  /** Writes a document that was read; null = there is none any more. */
  write(id: string, row: object | null): void {
    this.#bodies.set(id, row as Document | null);
  }

  /** Makes another document of what is there. */
  *edit<Row extends object>(id: string, edit: (row: Row | undefined) => Row | null): Editing {
    this.write(id, edit(yield* this.read<Row>(id)));
  }
}
