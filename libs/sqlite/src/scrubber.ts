import { close, open, read } from 'node:fs';
import { promisify } from 'node:util';
import { type Database, DatabaseClosed } from './database.ts';
import { fileHeader, mostPages, remainsIn } from './remains.ts';

const [opened, filled] = [promisify(open), promisify(read)];

/** Pages that are read at once, and then overwritten in one transaction: a few milliseconds of the event loop. */
const several = 128;

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
 * was deleted before the pass is nowhere else than in remains, which no page gives to another.
 */
export class Scrubber {
  readonly #parts: Parts;
  /** Closed at the very end: with any descriptor of the file go the engine's locks on it. */
  #descriptor: number | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #isReading = false;
  #closed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A pass over the file that begins after the call: one that is on its way may be past the place. Calls share it. */
  scrub(): Promise<void> {
    if (!this.#running) return this.#begin();
    return (this.#next ??= this.#running.catch(() => undefined).then(() => this.#begin()));
  }

  /** Ends the pass that is on its way; its callers get `DatabaseClosed`. */
  close(): void {
    this.#closed = true;
    if (!this.#isReading) this.#closeFile();
  }

  #begin(): Promise<void> {
    this.#next = undefined;
    const pass = this.#pass().finally(() => {
      if (this.#running === pass) this.#running = undefined;
    });
    return (this.#running = pass);
  }

  async #pass(): Promise<void> {
    await this.#emptyWal();
    const { database } = this.#parts;
    const number = (pragma: string) => Object.values(database.prepare(`PRAGMA ${pragma}`).get()!)[0] as number;
    const [pages, size] = [number('page_count'), number('page_size')];
    if (pages < mostPages) await this.#overwrite(pages, size);
    else database.exec('VACUUM');
    await this.#emptyWal();
  }

  /** The WAL keeps old versions of pages until it is emptied. */
  async #emptyWal(): Promise<void> {
    await this.#parts.sync(true);
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
      if (found.length === 0) continue;
      this.#write(found);
      await this.#parts.sync(false);
    }
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

  /** Overwrites the remains in pages as they are now. */
  #write(numbers: readonly number[]): void {
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
  }
}

const headerOf = (page: number): number => (page === 1 ? fileHeader : 0);
