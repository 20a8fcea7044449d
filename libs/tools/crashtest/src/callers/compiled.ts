import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * A child process cannot read TypeScript: brings what the compiler made of the sources up to date, unless the test run
 * has done so (`TEST_BUILT=1`).
 */
export async function compiled(): Promise<void> {
  if (process.env['TEST_BUILT'] === '1') return;
  await promisify(execFile)('npx', ['tsc', '-b'], { cwd: fileURLToPath(new URL('../..', import.meta.url)) });
}
