import { codeOf } from '@lyceum/kernel';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { type FilePlace, type Part, type SentStore, isName } from './file-store.ts';

/** More bytes came than there may be. */
export class TooManyBytes extends Error {
  override readonly name = 'TooManyBytes';
}

/**
 * Files in a directory of this machine: `<school>/incoming/<id>` while bytes arrive, `<school>/files/<id>` once they are
 * whole. A file gets there by a rename after its bytes are on the disk, so it is there as a whole or not at all.
 */
export class LocalStore implements SentStore {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Bytes come to this service. */
  target(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async received(place: FilePlace): Promise<number> {
    return (await sizeOf(this.#whole(place))) ?? (await sizeOf(this.#incoming(place))) ?? 0;
  }

  /** The last byte has made it whole. */
  async settle(place: FilePlace): Promise<boolean> {
    return (await sizeOf(this.#whole(place))) !== undefined;
  }

  async digest(place: FilePlace): Promise<string | undefined> {
    const bytes = await this.read(place);
    if (!bytes) return undefined;
    const hash = createHash('sha256');
    for await (const chunk of bytes) hash.update(chunk as Buffer);
    return hash.digest('hex');
  }

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

  async read(place: FilePlace, part?: Part): Promise<Readable | undefined> {
    const file = await orNone(open(this.#whole(place), constants.O_RDONLY | constants.O_NOFOLLOW));
    return file?.createReadStream({ highWaterMark: 256 * 1024, ...(part && { start: part.first, end: part.last }) });
  }

  async remove(place: FilePlace): Promise<void> {
    await this.removeUnfinished(place);
    await rm(this.#whole(place), { force: true });
  }

  async removeUnfinished(place: FilePlace): Promise<void> {
    await rm(this.#incoming(place), { force: true });
  }

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
