import { close, closeSync, fdatasync, openSync } from 'node:fs';

/** Milliseconds of commits that wait for the disk at most, about. */
const delay = 100;

/**
 * Brings the WAL of a database to the disk while it is written, in another thread. A database that does not do so at each
 * commit does it before a checkpoint, and everything waits for tens of megabytes; this way little is left then. It is a
 * help and no promise: a failure shows where the engine itself asks for the disk.
 */
export class WalFlushing {
  readonly #wal: string;
  readonly #toDisk: typeof toDisk;
  readonly #flushed: () => void;
  #descriptor: number | undefined;
  #isFlushing = false;
  #isDue = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** `flushed` hears of the end of each trip to the disk, which is replaceable in tests. */
  constructor(file: string, disk = toDisk, flushed = (): void => undefined) {
    this.#wal = `${file}-wal`;
    this.#toDisk = disk;
    this.#flushed = flushed;
  }

  /** Something was written. */
  written(): void {
    if (this.#closed) return;
    if (this.#isFlushing) this.#isDue = true;
    else this.#timer ??= setTimeout(() => this.#flush(), delay).unref();
  }

  /** Begins nothing any more. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    if (this.#descriptor !== undefined && !this.#isFlushing) closeSync(this.#descriptor);
  }

  #flush(): void {
    this.#timer = undefined;
    // No lock of the engine is on this file, so closing a descriptor of ours gives none up.
    const descriptor = (this.#descriptor ??= opened(this.#wal));
    if (descriptor === undefined) return;
    this.#isFlushing = true;
    this.#toDisk(descriptor, () => {
      this.#isFlushing = false;
      if (this.#closed) return close(descriptor, () => undefined);
      this.#flushed();
      if (!this.#isDue) return;
      this.#isDue = false;
      this.written();
    });
  }
}

/** Calls back when all that the file holds is on the disk, or could not be brought there. */
const toDisk = (descriptor: number, done: () => void): void => fdatasync(descriptor, done);

/** A file of that name, if there is one yet. */
function opened(file: string): number | undefined {
  try {
    return openSync(file, 'r+');
  } catch {
    return undefined;
  }
}
