import { close, closeSync, fdatasync, fdatasyncSync, openSync, readSync } from 'node:fs';
import { type Disk, WalFlushing } from './wal-flushing.ts';

/** Pages in a WAL that is due, when its owner does not say. The engine waits for 10,000, and then begins in the middle of a commit. */
const usualPages = 8_000;

/** Bytes of the WAL's header, and of the one before each page. Both have the salts of the WAL's present life. */
const [header, pageHeader] = [32, 24];

/** What writes a WAL back, and how. */
export interface WriteBack {
  /** Copies the pages into the file, without bringing them to the disk; false when it may not be done now. */
  readonly copy: () => boolean;
  /** Pages of the WAL from which on it is due; 8,000 when not given. */
  readonly pages?: number | undefined;
  /** Replaceable in tests. */
  readonly disk?: Disk | undefined;
  /** The same at once. */
  readonly diskNow?: ((descriptor: number) => void) | undefined;
}

/**
 * Has the WAL of a database written back into its file between two transactions, when the WAL has been brought to the disk.
 * The engine does it at the end of a commit and stops everything until the disk has all pages; here they are copied, and
 * another thread brings them to the disk. Until they are there, nothing may be written: the engine would begin the WAL
 * anew, which has the only safe copy of them.
 */
export class WalCheckpoints {
  readonly #file: string;
  readonly #copy: () => boolean;
  readonly #pages: number;
  readonly #disk: Disk;
  readonly #diskNow: (descriptor: number) => void;
  readonly #flushing: WalFlushing;
  #walDescriptor: number | undefined;
  /** Of the database's file. Closed at the very end: with any descriptor of it go the engine's locks on it. */
  #descriptor: number | undefined;
  /** Pages on their way from the file to the disk, for which nobody has waited yet. */
  #settling: Promise<void> | undefined;
  /** Trips of the file to the disk that are not over: they use its descriptor. */
  #trips = 0;
  /** The disk did not take them: then it may never have them, and nothing is written any more. */
  #failure: Error | undefined;
  #isDue = false;
  #closed = false;

  constructor(file: string, { copy, pages = usualPages, disk = fdatasync, diskNow = fdatasyncSync }: WriteBack) {
    this.#file = file;
    this.#copy = copy;
    this.#pages = pages;
    this.#disk = disk;
    this.#diskNow = diskNow;
    this.#flushing = new WalFlushing(file, disk, () => (this.#isDue = this.#isFull()));
  }

  /** Something was committed. */
  written(): void {
    this.#flushing.written();
    if (!this.#isDue) return;
    this.#isDue = false;
    // After all that this turn of the event loop still tells of the commit.
    setImmediate(() => this.#writeBack());
  }

  /**
   * Resolves when all that was committed is on stable storage; now and then the WAL has been written back as well. `isDue`: it
   * has, however few pages it had, if that could be done.
   */
  async sync(isDue = false): Promise<void> {
    await this.#flushing.flush();
    if (isDue || this.#isDue) this.#writeBack();
    this.#isDue = false;
    await this.#settling;
    if (this.#failure) throw this.#failure;
  }

  /** Returns when something may be written: as a rule at once, else when the disk has the pages that were copied. */
  settle(): void {
    if (this.#failure) throw this.#failure;
    if (!this.#settling) return;
    this.#diskNow(this.#descriptor!);
    this.#settling = undefined;
  }

  /** Begins nothing any more. */
  close(): void {
    this.#closed = true;
    this.#flushing.close();
    if (this.#walDescriptor !== undefined) closeSync(this.#walDescriptor);
    this.#walDescriptor = undefined;
    if (this.#descriptor !== undefined && this.#trips === 0) closeSync(this.#descriptor);
  }

  #writeBack(): void {
    if (this.#closed || this.#settling || this.#failure || !this.#isWalOnDisk() || !this.#copy()) return;
    const descriptor = this.#descriptor!;
    this.#trips += 1;
    const settling = new Promise<void>((resolve, reject) =>
      this.#disk(descriptor, (error) => {
        this.#trips -= 1;
        if (this.#closed && this.#trips === 0) close(descriptor, () => undefined);
        if (error) reject(error);
        else resolve();
      }),
    );
    this.#settling = settling;
    settling.then(
      () => this.#settling === settling && (this.#settling = undefined),
      (error: Error) => (this.#failure = error),
    );
  }

  /**
   * Brings what was committed since the last trip of the WAL to the disk: no page may reach the file before the WAL has it.
   * False when that fails, and where the file cannot be opened.
   */
  #isWalOnDisk(): boolean {
    try {
      this.#descriptor ??= openSync(this.#file, 'r+');
      this.#diskNow(this.#walDescriptor!);
      return true;
    } catch (error) {
      this.#failure = error as Error;
      return false;
    }
  }

  /** Whether the WAL has that many pages: then the last of them was written since it was last begun anew. */
  #isFull(): boolean {
    const descriptor = (this.#walDescriptor ??= opened(`${this.#file}-wal`));
    if (descriptor === undefined) return false;
    try {
      const begin = read(descriptor, 0, header);
      const page = read(descriptor, header + (this.#pages - 1) * (pageHeader + begin.readUInt32BE(8)), pageHeader);
      return page.subarray(8, 16).equals(begin.subarray(16, 24));
    } catch {
      // Too short, or not to be read: then the engine does it by itself.
      return false;
    }
  }
}

/** So many bytes from a place in a file. Throws when it has fewer, or cannot be read. */
function read(descriptor: number, place: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  if (readSync(descriptor, bytes, 0, length, place) < length) throw new RangeError('the file is too short');
  return bytes;
}

/** A file of that name, if there is one yet. */
function opened(file: string): number | undefined {
  try {
    return openSync(file, 'r+');
  } catch {
    return undefined;
  }
}
