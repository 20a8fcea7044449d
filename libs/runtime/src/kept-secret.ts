import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The secret in a file, or undefined when there is none. */
export async function readSecret(file: string): Promise<string | undefined> {
  try {
    const text = (await readFile(file, 'utf8')).trim();
    return text === '' ? undefined : text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The secret in a file; when there is none, the given one is written there first, readable by its owner only (0600). */
export async function keepSecret(file: string, make: () => string): Promise<string> {
  const kept = await readSecret(file);
  if (kept !== undefined) return kept;
  const made = make();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(`${made}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return made;
}
