import type { Checkpoint } from '@lyceum/kernel';

/** A read-model document: plain JSON. */
export type Document = Readonly<Record<string, unknown>>;

/** A document as the type that its projection writes. */
export function rowAs<Row extends object>(document: Document): Row;
export function rowAs<Row extends object>(document: Document | undefined): Row | undefined;
export function rowAs(document: Document | undefined): Document | undefined {
  return document;
}

/** A scalar that a field may be compared with. */
export type Scalar = string | number | boolean | null;

/** What a declared field may hold: `text`, `number`, `boolean`, or `set` (a list of strings, matched by membership). */
export type FieldKind = 'text' | 'number' | 'boolean' | 'set';

/**
 * A read model: `<name>@<version>` is one collection, built from the events. A new version is a new collection. `fields`
 * are the declared top-level fields that queries may filter and sort by.
 */
export interface Collection {
  readonly name: string;
  readonly version: number;
  readonly fields: Readonly<Record<string, FieldKind>>;
}

/**
 * One condition on a declared field, or on `id`. `has`: a set contains the string. `contains`: case-insensitive part of a
 * text. A range has at least one bound and never holds for null. Texts are ordered by code point, null before all.
 */
export type Condition =
  | { readonly field: string; readonly is: Scalar }
  | { readonly field: string; readonly in: readonly Scalar[] }
  | { readonly field: string; readonly has: string }
  | { readonly field: string; readonly contains: string }
  | {
      readonly field: string;
      readonly above?: string | number;
      readonly from?: string | number;
      readonly below?: string | number;
      readonly to?: string | number;
    };

/** One page of a collection: all conditions hold, ordered by one field then by id, after a keyset. */
export interface Query {
  readonly where?: readonly Condition[];
  /** A text or number field, or `id` (the document's id, unless declared otherwise). The id breaks ties, in the same direction. Default: by id. */
  readonly sort?: { readonly field: string; readonly descending?: boolean };
  /** 1 to 200. */
  readonly limit: number;
  /** The sort value and id of the last document of the page before. */
  readonly after?: { readonly value: string | number | null; readonly id: string };
}

/** A document with its id. */
export interface Found {
  readonly id: string;
  readonly body: Document;
}

/** A page and whether more follow. */
export interface Page {
  readonly items: readonly Found[];
  readonly more: boolean;
}

/** The new body of a document, or null to delete it. */
export interface Write {
  readonly tenant: string;
  readonly id: string;
  readonly body: Document | null;
  /** What the document is believed to be until now: a hint, so that an engine may write less. It is never relied on. */
  readonly before?: Document;
}

/**
 * Where read models live. The tenant is an argument of every read and write: a document of one tenant is never seen by another.
 * Rebuildable from the log, so it need not be durable; but documents and checkpoint move together.
 * Throws `DocumentsUnavailable` when the engine cannot be reached, and a TypeError or RangeError for arguments that no
 * engine takes, before anything is written.
 */
export interface Documents {
  /** No other process can use the store while this one has it. */
  readonly exclusive?: true;
  /** Creates the collection and its indexes if missing. Throws `DeclarationChanged` when it exists with other fields. */
  open(collection: Collection): Promise<void>;
  /** Forgets a collection: its documents, checkpoints and declaration. Dropping one that is not there changes nothing. */
  drop(collection: Collection): Promise<void>;
  /** Position up to which a lane of a source has been applied to the collection; 0 at first. */
  checkpoint(collection: Collection, source: string, lane: number): Promise<number>;
  /** As `checkpoint`, with the id of the commit there, where it was given. */
  checkpointOf(collection: Collection, source: string, lane: number): Promise<Checkpoint>;
  /**
   * Writes and moves the checkpoint of (source, lane) from `from` to `to`, atomically in effect. `to` names the commit there,
   * where there is one.
   * Of several writes to one document the last counts. `to` may equal `from`: then documents change and the checkpoint stays.
   * Each (source, lane) has a checkpoint of its own, whatever documents it writes.
   * Throws `CheckpointFenced` when the checkpoint is not at `from`: another projector was here. Where several processes use the
   * store, also when another one has written under the checkpoint, and left it there, since this one looked at it or wrote.
   */
  apply(
    collection: Collection,
    source: string,
    lane: number,
    from: number,
    to: number | Checkpoint,
    writes: readonly Write[],
  ): Promise<void>;
  get(collection: Collection, tenant: string, id: string): Promise<Document | undefined>;
  /** As `get`, without waiting: for projections, which read a document for each event. Only an engine in this process has it. */
  getNow?(collection: Collection, tenant: string, id: string): Document | undefined;
  /** Throws `InvalidQuery`. */
  query(collection: Collection, tenant: string, query: Query): Promise<Page>;
  /**
   * Tenants that have a document in the collection and come after one, by code point: the first hundreds of them, none when
   * there are no more. `tenantsOf` gives all. For work that is done for each; never for what a request asks.
   */
  tenants(collection: Collection, after: string): Promise<readonly string[]>;
  /** Resolves true once the checkpoint has reached the position, false after `timeout` milliseconds or when closed. */
  waitFor(collection: Collection, source: string, lane: number, position: number, timeout: number): Promise<boolean>;
  /**
   * Leaves no byte of what was deleted or overwritten in the store's files: a pass over all of them, shared by calls at the
   * same time. Absent where the engine keeps no files here.
   */
  scrub?(): Promise<void>;
  close(): Promise<void>;
}

/** The checkpoint moved under the projector's feet. Nothing was written; it must read the checkpoint again. */
export class CheckpointFenced extends Error {
  override readonly name = 'CheckpointFenced';

  constructor(collection: string, source: string, lane: number, expected: number, actual: number) {
    super(`${collection} stands at position ${actual} of ${source} lane ${lane}, expected ${expected}`);
  }
}

/** The collection is stored with other fields than declared now. A new declaration needs a new version. */
export class DeclarationChanged extends Error {
  override readonly name = 'DeclarationChanged';

  constructor(collection: string) {
    super(
      `the fields of ${collection} changed: give the collection a new version, which is then built from the events`,
    );
  }
}

/** The query names an undeclared field, a value of another kind, or a limit outside 1 to 200. A programming mistake. */
export class InvalidQuery extends Error {
  override readonly name = 'InvalidQuery';
}

/** The engine cannot be reached. */
export class DocumentsUnavailable extends Error {
  override readonly name = 'DocumentsUnavailable';
}
