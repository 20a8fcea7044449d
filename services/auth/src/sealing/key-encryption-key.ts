import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

const bytes = 32;
const fileName = 'key-encryption-key';

/** Decodes a key of 32 bytes written as base64 or base64url; undefined for anything else. */
export function decodeKey(text: string): Buffer | undefined {
  const trimmed = text.trim();
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return undefined;
  return Buffer.from(trimmed, 'base64url');
}

/**
 * The key under which everything secret of this service is sealed: the one given, else the one in
 * `<folder>/key-encryption-key` (mode 0600), which is made once. Two processes that start together end with the same key.
 */
export async function keyEncryptionKey(given: string | undefined, folder: string): Promise<Buffer> {
  if (given !== undefined) return checked(given, 'KEY_ENCRYPTION_KEY');
  await mkdir(folder, { recursive: true });
  const path = join(folder, fileName);
  const kept = await read(path);
  if (kept !== undefined) return checked(kept, path);
  await make(path);
  return checked((await read(path)) ?? '', path);
}

function checked(text: string, where: string): Buffer {
  const key = decodeKey(text);
  if (!key) throw new Error(`${where} does not hold ${bytes} bytes as base64`);
  return key;
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Written beside and then linked: the file appears whole or not at all, and an existing one wins. */
async function make(path: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(bytes).toString('base64')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
