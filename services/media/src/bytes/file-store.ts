import type { Readable } from 'node:stream';

/** Names a file of a school. Neither part comes from a client: the school is the gateway's, the id our own. */
export interface FilePlace {
  readonly school: string;
  readonly id: string;
}

/** A part of a file: bytes from `first` to `last`, both included. */
export interface Part {
  readonly first: number;
  readonly last: number;
}

/** The bytes that are going to be sent. */
export interface Expected {
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Where a client sends bytes past this service: a signed request, all of whose headers it has to send. */
export interface DirectTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Where bytes are kept: what arrives, and apart from it whole files, which no sender can touch. A whole file is there with all
 * of its bytes or not at all.
 */
export interface FileStore {
  /** Where a client sends the bytes past this service, for some seconds; undefined = to this service. */
  target(place: FilePlace, expected: Expected, seconds: number): Promise<DirectTarget | undefined>;
  /** How many bytes of an upload are here. */
  received(place: FilePlace): Promise<number>;
  /** Makes the file whole when all of `size` bytes are here; says whether it is. */
  settle(place: FilePlace, size: number): Promise<boolean>;
  /** SHA-256 of a whole file, hexadecimal; undefined when there is none. */
  digest(place: FilePlace): Promise<string | undefined>;
  /** The bytes of a whole file, or a part of them; undefined when there is none. Whoever asks reads them or destroys the stream. */
  read(place: FilePlace, part?: Part): Promise<Readable | undefined>;
  /** Removes all bytes of an upload. */
  remove(place: FilePlace): Promise<void>;
  /** Removes what arrived of an upload, and nothing that is whole. */
  removeUnfinished(place: FilePlace): Promise<void>;
  /** Every upload of which bytes are here that are not whole. */
  unfinished(): AsyncIterable<FilePlace>;
}

/** A store whose bytes come through this service. */
export interface SentStore extends FileStore {
  /**
   * Adds bytes behind those that are here; `offset` 0 begins anew. What arrived stays when the sender breaks off, and is on
   * the disk when this resolves or rejects. With the last of `size` bytes the file is whole. Resolves to how many are here.
   */
  append(place: FilePlace, offset: number, size: number, bytes: AsyncIterable<Uint8Array>): Promise<number>;
}

/** Whether a name can stand in a path. */
export const isName = (name: string): boolean => /^[A-Za-z0-9_-]{1,100}$/.test(name);
