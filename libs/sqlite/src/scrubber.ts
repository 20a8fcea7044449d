import { close, open, read } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Database, DatabaseClosed } from './database.ts';
import { fileHeader, mostPages, remainsIn } from './remains.ts';
import { WalPages } from './wal-pages.ts';

const [opened, filled] = [promisify(open), promisify(read)];

/** Pages that are read at once, and then overwritten in one transaction: a few milliseconds of the event loop. */
const several = 128;

/** Pages of the WAL from which on a pass writes it back by itself; and so many that the engine never does, in its commits. */
const [longWal, never] = [1_000, 1_000_000];

/** What a database is scrubbed with. */
interface Parts {
  readonly file: string;
  readonly database: Pick<Database, 'exec' | 'prepare' | 'transaction'>;
  /** Brings what was committed to the disk beside the event loop; `isDue`: and the WAL back into the file. */
  readonly sync: (isDue: boolean) => Promise<void>;
}

/**
 * Overwrites what is left of deleted content in the file of a database that is opened with `secure_delete`, while the database is
 * used: the file is read in another thread, a part of it at a time, and pages with remains are written anew. What
 * was deleted before the pass is nowhere else than in remains, and these stay in their page, unless it is written: the engine may
 * give two pages that it balances each other's numbers. So pages that others write during the pass are looked at again.
 */
export class Scrubber {
  readonly #parts: Parts;
  /** Closed at the very end: with any descriptor of the file go the engine's locks on it. */
  #descriptor: number | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /** As `performance.now` counts. */
  #restsUntil = 0;
  /** Of the pass that is on its way: what others have written, and what of it is to be looked at again. */
  #wal: WalPages | undefined;
  readonly #written = new Set<number>();
  #lost: Error | undefined;
  #isReading = false;
  #closed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * A pass over the file that begins after the call: one that is on its way may be past the place. Calls share it. Passes
   * rest as long as they took, so that no number of calls takes more than half of the time.
   */
  scrub(): Promise<void> {
    return (this.#next ??= this.#begin(this.#running));
  }

  /** Ends the pass that is on its way; its callers get `DatabaseClosed`. */
  close(): void {
    this.#closed = true;
    if (!this.#isReading) this.#closeFile();
  }

  async #begin(before: Promise<void> | undefined): Promise<void> {
    await before?.catch(() => undefined);
    const rest = this.#restsUntil - performance.now();
    if (rest > 0) await delay(rest, undefined, { ref: false });
    const began = performance.now();
    this.#running = this.#next;
    this.#next = undefined;
    try {
      await this.#pass();
    } finally {
      this.#restsUntil = 2 * performance.now() - began;
    }
  }

  /** The WAL is written back next. */
  writingBack(): void {
    if (!this.#wal) return;
    try {
      this.#noteWritten();
    } catch (error) {
      // It is for the pass to fail, not for who writes back.
      this.#lost = error as Error;
    }
    this.#wal.writingBack();
  }

  async #pass(): Promise<void> {
    if (this.#closed) throw new DatabaseClosed('the database is closed');
    const { file, database, sync } = this.#parts;
    const number = (pragma: string) => Object.values(database.prepare(`PRAGMA ${pragma}`).get()!)[0] as number;
    await sync(true);
    const every = number('wal_autocheckpoint');
    this.#wal = new WalPages(file);
    try {
      database.exec(`PRAGMA wal_autocheckpoint = ${never}`);
      this.#emptyWal();
      this.#written.clear();
      const pages = number('page_count');
      if (pages < mostPages) await this.#overwrite(pages, number('page_size'));
      else database.exec('VACUUM');
      await sync(true);
      this.#noteWritten();
      // Who writes as fast as this looks is let in for so long; what is left in the end is done at once.
      for (let most = several; this.#written.size > most; most *= 2) await this.#overwriteWritten();
      this.#write([...this.#written]);
      this.#emptyWal();
      if (this.#lost) throw this.#lost;
    } finally {
      this.#lost = undefined;
      this.#wal.close();
      this.#wal = undefined;
      if (!this.#closed) database.exec(`PRAGMA wal_autocheckpoint = ${every}`);
    }
  }

  /** Everything is in the file then: the WAL keeps old versions of pages until it is emptied. */
  #emptyWal(): void {
    this.writingBack();
    this.#parts.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  async #overwrite(pages: number, size: number): Promise<void> {
    const part = Buffer.alloc(several * size);
    for (let first = 1; first <= pages; first += several) {
      const count = await this.#read(part, (first - 1) * size);
      const found: number[] = [];
      for (let index = 0; index < Math.floor(count / size); index += 1) {
        const page = part.subarray(index * size, (index + 1) * size);
        if (remainsIn(page, headerOf(first + index)).length > 0) found.push(first + index);
      }
      await this.#overwriteSome(found);
    }
  }

  /** The pages that others have written until now. */
  async #overwriteWritten(): Promise<void> {
    const written = [...this.#written];
    this.#written.clear();
    for (let from = 0; from < written.length; from += several)
      await this.#overwriteSome(written.slice(from, from + several));
    this.#noteWritten();
  }

  async #overwriteSome(numbers: readonly number[]): Promise<void> {
    if (numbers.length === 0) return;
    this.#write(numbers);
    await this.#parts.sync(false);
    if (this.#wal!.length > longWal) this.#emptyWal();
  }

  #noteWritten(): void {
    for (const page of this.#wal?.next() ?? []) this.#written.add(page);
  }

  /** Fills the part from a place in the file; how many bytes there were. */
  async #read(part: Buffer, place: number): Promise<number> {
    if (this.#closed) throw new DatabaseClosed('the database is closed');
    this.#isReading = true;
    try {
      this.#descriptor ??= await opened(this.#parts.file, 'r');
      return (await filled(this.#descriptor, part, 0, part.length, place)).bytesRead;
    } finally {
      this.#isReading = false;
      if (this.#closed) this.#closeFile();
    }
  }

  #closeFile(): void {
    if (this.#descriptor !== undefined) close(this.#descriptor, () => undefined);
  }

  /** Overwrites the remains in pages as they are now. Of what others wrote before, nothing is overlooked. */
  #write(numbers: readonly number[]): void {
    this.#noteWritten();
    const { database } = this.#parts;
    const get = database.prepare<{ data: Buffer }>('SELECT data FROM sqlite_dbpage WHERE pgno = ?');
    const put = database.prepare('UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?');
    database.transaction(() => {
      for (const number of numbers) {
        const page = get.get(number)?.data;
        const remains = page ? remainsIn(page, headerOf(number)) : [];
        if (!page || remains.length === 0) continue;
        for (const { from, to } of remains) page.fill(0, from, to);
        put.run(page, number);
      }
    });
    // What this has written itself has no remains.
    this.#wal?.next();
  }
}

const headerOf = (page: number): number => (page === 1 ? fileHeader : 0);
