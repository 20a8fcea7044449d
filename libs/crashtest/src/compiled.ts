import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A child process cannot read TypeScript: brings what the compiler made of the sources up to date. */
export async function compiled(): Promise<void> {
  await promisify(execFile)('npx', ['tsc', '-b'], { cwd: fileURLToPath(new URL('..', import.meta.url)) });
}
