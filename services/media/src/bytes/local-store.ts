import { codeOf } from '@lyceum/kernel';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';

/** Names a file of a school. Neither part comes from a client: the school is the gateway's, the id our own. */
export interface FilePlace {
  readonly school: string;
  readonly id: string;
}

/** More bytes came than there may be. */
export class TooManyBytes extends Error {
  override readonly name = 'TooManyBytes';
}

/** A part of a file: bytes from `first` to `last`, both included. */
export interface Part {
  readonly first: number;
  readonly last: number;
}

const isName = (name: string): boolean => /^[A-Za-z0-9_-]{1,100}$/.test(name);

/**
 * Files in a directory of this machine: `<school>/incoming/<id>` while bytes arrive, `<school>/files/<id>` once they are
 * whole. A file gets there by a rename after its bytes are on the disk, so it is there as a whole or not at all.
 */
export class LocalStore {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** How many bytes of an upload are here. */
  async received(place: FilePlace): Promise<number> {
    return (await sizeOf(this.#whole(place))) ?? (await sizeOf(this.#incoming(place))) ?? 0;
  }

  /** Whether all bytes of an upload are here. */
  async isWhole(place: FilePlace): Promise<boolean> {
    return (await sizeOf(this.#whole(place))) !== undefined;
  }

  /**
   * Adds bytes behind those that are here; `offset` 0 begins anew. What arrived stays when the sender breaks off, and is on
   * the disk when this resolves or rejects. With the last of `size` bytes the file is whole. Resolves to how many are here.
   */
  async append(place: FilePlace, offset: number, size: number, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const incoming = this.#incoming(place);
    await mkdir(dirname(incoming), { recursive: true, mode: 0o700 });
    if (offset === 0) await this.remove(place);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW;
    const file = await open(incoming, flags, 0o600);
    let here: number;
    try {
      here = await write(file, offset, size, bytes);
    } finally {
      await file.datasync();
      await file.close();
    }
    if (here === size) await this.#finish(place);
    return here;
  }

  async #finish(place: FilePlace): Promise<void> {
    const whole = this.#whole(place);
    await mkdir(dirname(whole), { recursive: true, mode: 0o700 });
    await rename(this.#incoming(place), whole);
    for (const folder of [dirname(whole), dirname(dirname(whole))]) await flush(folder);
  }

  /** Opens a whole file; undefined when there is none. */
  async open(place: FilePlace): Promise<FileHandle | undefined> {
    return orNone(open(this.#whole(place), constants.O_RDONLY | constants.O_NOFOLLOW));
  }

  /** The bytes of a whole file, or a part of them; undefined when there is none. Whoever asks reads them or destroys the stream. */
  async read(place: FilePlace, part?: Part): Promise<Readable | undefined> {
    const file = await this.open(place);
    return file?.createReadStream({ highWaterMark: 256 * 1024, ...(part && { start: part.first, end: part.last }) });
  }

  /** Removes all bytes of an upload. */
  async remove(place: FilePlace): Promise<void> {
    await rm(this.#incoming(place), { force: true });
    await rm(this.#whole(place), { force: true });
  }

  /** Everything here of which not all bytes are. */
  async *unfinished(): AsyncIterable<FilePlace> {
    for (const school of (await orNone(readdir(this.#root))) ?? [])
      for (const id of (await orNone(readdir(join(this.#root, school, 'incoming')))) ?? [])
        if (isName(school) && isName(id)) yield { school, id };
  }

  readonly #incoming = (place: FilePlace): string => this.#path(place, 'incoming');
  readonly #whole = (place: FilePlace): string => this.#path(place, 'files');

  #path({ school, id }: FilePlace, folder: 'incoming' | 'files'): string {
    if (!isName(school) || !isName(id)) throw new RangeError('no name of a file');
    return join(this.#root, school, folder, id);
  }
}

async function write(
  file: FileHandle,
  offset: number,
  size: number,
  bytes: AsyncIterable<Uint8Array>,
): Promise<number> {
  let here = offset;
  for await (const chunk of bytes) {
    if (here + chunk.length > size) throw new TooManyBytes(`more than ${size} bytes`);
    for (let written = 0; written < chunk.length;) {
      const { bytesWritten } = await file.write(chunk, written, chunk.length - written, here);
      written += bytesWritten;
      here += bytesWritten;
    }
  }
  return here;
}

async function flush(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  await handle.sync().finally(() => handle.close());
}

const sizeOf = async (path: string): Promise<number | undefined> => (await orNone(stat(path)))?.size;

async function orNone<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(String(codeOf(error)))) return undefined;
    throw error;
  }
}
