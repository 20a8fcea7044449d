import { closeSync, openSync, readSync } from 'node:fs';

/** Bytes of the WAL's header, and of the one before each page; where the salts of its present life are in both. */
const [header, pageHeader, ownSalts, pageSalts] = [32, 24, 16, 8];

/**
 * Which pages of a database were written since a moment: the WAL has them, until it is begun anew. Whoever writes the WAL
 * back says so before, when everything that it holds has been read here.
 * The format: https://www.sqlite.org/fileformat2.html#walformat
 */
export class WalPages {
  readonly #descriptor: number;
  #salts: Buffer | undefined;
  /** Pages of the present life of the WAL that were read. */
  #read = 0;
  #mayBeginAnew = true;

  /** The WAL of this file, which the engine has open. */
  constructor(file: string) {
    // No lock of the engine is on it, so closing gives none up.
    this.#descriptor = openSync(`${file}-wal`, 'r');
  }

  /** How many pages the WAL had when it was read last. */
  get length(): number {
    return this.#read;
  }

  /** The numbers of the pages that were written since the last call. Throws when some may be missing. */
  next(): readonly number[] {
    const begin = this.#bytes(0, header);
    if (!begin) return [];
    const salts = begin.subarray(ownSalts, ownSalts + 8);
    if (!this.#salts?.equals(salts)) {
      if (!this.#mayBeginAnew) throw new Error('the WAL was begun anew before it was read');
      [this.#salts, this.#read, this.#mayBeginAnew] = [salts, 0, false];
    }
    const numbers: number[] = [];
    for (const size = begin.readUInt32BE(8); ; this.#read += 1) {
      const page = this.#bytes(header + this.#read * (pageHeader + size), pageHeader);
      if (!page?.subarray(pageSalts, pageSalts + 8).equals(salts)) return numbers;
      numbers.push(page.readUInt32BE(0));
    }
  }

  /** The WAL is written back next: it may be begun anew by whatever is written after that. */
  writingBack(): void {
    this.#mayBeginAnew = true;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /** So many bytes from a place; undefined when there are fewer. */
  #bytes(place: number, length: number): Buffer | undefined {
    const bytes = Buffer.alloc(length);
    return readSync(this.#descriptor, bytes, 0, length, place) === length ? bytes : undefined;
  }
}
