import { close, closeSync, fdatasync, openSync } from 'node:fs';

/** Milliseconds of commits that wait for the disk at most, about, where nobody asks for it. */
const delay = 100;

/** Brings a file to the disk and calls back, with the error if it could not. */
export type Disk = (descriptor: number, done: (error?: Error | null) => void) => void;

/**
 * Brings the WAL of a database to the disk while it is written, in another thread. A database that does not do so at each
 * commit does it before a checkpoint, and everything waits for tens of megabytes; this way little is left then. Who has to
 * know that a commit is there calls `flush`; without it this is a help and no promise.
 */
export class WalFlushing {
  readonly #wal: string;
  readonly #toDisk: Disk;
  readonly #flushed: () => void;
  #descriptor: number | undefined;
  /** Trips to the disk that are not over. */
  #trips = 0;
  #isDue = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** `flushed` hears of the end of each trip to the disk, which is replaceable in tests. */
  constructor(file: string, disk: Disk = fdatasync, flushed = (): void => undefined) {
    this.#wal = `${file}-wal`;
    this.#toDisk = disk;
    this.#flushed = flushed;
  }

  /** Something was written. */
  written(): void {
    if (this.#closed) return;
    if (this.#trips > 0) this.#isDue = true;
    else this.#timer ??= setTimeout(() => void this.flush().catch(() => undefined), delay).unref();
  }

  /** Resolves when all that was written before the call is on the disk. Rejects when it could not be brought there. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isDue = false;
    return new Promise((resolve, reject) => {
      // No lock of the engine is on this file, so closing a descriptor of ours gives none up.
      const descriptor = (this.#descriptor ??= openSync(this.#wal, 'r+'));
      this.#trips += 1;
      this.#toDisk(descriptor, (error) => {
        this.#trips -= 1;
        this.#ended(descriptor);
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** Begins nothing any more by itself. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    if (this.#descriptor !== undefined && this.#trips === 0) closeSync(this.#descriptor);
  }

  #ended(descriptor: number): void {
    if (this.#closed) {
      if (this.#trips === 0) close(descriptor, () => undefined);
      return;
    }
    this.#flushed();
    if (this.#isDue) this.written();
  }
}
