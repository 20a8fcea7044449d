import { createHash } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { CopiedFile } from './manifest.ts';

const folderMode = 0o700;

/** Makes the folder of a file, readable by its owner only. */
export const makeRoom = async (file: string): Promise<void> =>
  void (await mkdir(dirname(file), { recursive: true, mode: folderMode }));

/** Copies into a new file, durably; shares blocks where the file system can. */
export async function copyNew(from: string, to: string): Promise<void> {
  await makeRoom(to);
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await settle(to);
}

/** Brings a file to stable storage, readable by its owner only. */
export async function settle(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.chmod(0o600);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Length and hash of a file. Reads it piece by piece. */
export async function fingerprintOf(file: string): Promise<CopiedFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const part of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(part);
    bytes += part.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Copies into a new file, durably. Throws when what was read is not what was written down. */
export async function copyChecked(from: string, to: string, expected: CopiedFile): Promise<void> {
  await makeRoom(to);
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = async function* (parts: AsyncIterable<Buffer>) {
    for await (const part of parts) {
      hash.update(part);
      bytes += part.length;
      yield part;
    }
  };
  await pipeline(createReadStream(from), counted, createWriteStream(to, { flags: 'wx', mode: 0o600 }));
  if (bytes !== expected.bytes || hash.digest('hex') !== expected.sha256) throw new BackupDamaged(from);
  await settle(to);
}

/** A file of a backup is not what the manifest says. */
export class BackupDamaged extends Error {
  override readonly name = 'BackupDamaged';

  constructor(file: string) {
    super(`${file} is damaged: it is not what its manifest says`);
  }
}

/** Writes a small text durably into a new file. */
export async function writeNew(file: string, text: string): Promise<void> {
  await makeRoom(file);
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
