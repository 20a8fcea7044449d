import { codeOf } from '@lyceum/kernel';
import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The secret in a file, or undefined when there is none. */
export async function readSecret(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * The secret in a file; when there is none, the given one is written there first, readable by its owner only (0600). The
 * file appears whole or not at all, and of two processes one wins.
 */
export async function keepSecret(file: string, make: () => string): Promise<string> {
  const kept = await readSecret(file);
  if (kept !== undefined) return kept;
  const made = make();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeDurably(draft, `${made}\n`);
    await link(draft, file);
    return made;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return keepSecret(file, make);
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
