import { closeSync, openSync, readSync } from 'node:fs';
import { WalFlushing } from './wal-flushing.ts';

/** Pages in a WAL that is due. The engine waits for 10,000, and then begins in the middle of a commit. */
const full = 8_000;

/** Bytes of the WAL's header, and of the one before each page. Both have the salts of the WAL's present life. */
const [header, pageHeader] = [32, 24];

/**
 * Has the WAL of a database written back into its file between two transactions. The engine does it at the end of a
 * commit, so that whoever waits for the commit waits for tens of milliseconds more; here they have heard of it before.
 * It begins after the WAL has been brought to the disk, when little of it is left to do for the engine.
 */
export class WalCheckpoints {
  readonly #wal: string;
  readonly #writeBack: () => void;
  readonly #flushing: WalFlushing;
  #descriptor: number | undefined;
  #isDue = false;
  #closed = false;

  /** `disk` is replaceable in tests. */
  constructor(file: string, writeBack: () => void, disk?: ConstructorParameters<typeof WalFlushing>[1]) {
    this.#wal = `${file}-wal`;
    this.#writeBack = writeBack;
    this.#flushing = new WalFlushing(file, disk, () => (this.#isDue = this.#isFull()));
  }

  /** Something was committed. */
  written(): void {
    this.#flushing.written();
    if (!this.#isDue) return;
    this.#isDue = false;
    // After all that this turn of the event loop still tells of the commit.
    setImmediate(() => {
      if (!this.#closed) this.#writeBack();
    });
  }

  /** Resolves when all that was committed is on stable storage. */
  sync(): Promise<void> {
    return this.#flushing.flush();
  }

  /** Begins nothing any more. */
  close(): void {
    this.#closed = true;
    this.#flushing.close();
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  /** Whether the WAL has that many pages: then the last of them was written since it was last begun anew. */
  #isFull(): boolean {
    const descriptor = (this.#descriptor ??= opened(this.#wal));
    if (descriptor === undefined) return false;
    try {
      const begin = read(descriptor, 0, header);
      const page = read(descriptor, header + (full - 1) * (pageHeader + begin.readUInt32BE(8)), pageHeader);
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
    return openSync(file, 'r');
  } catch {
    return undefined;
  }
}
