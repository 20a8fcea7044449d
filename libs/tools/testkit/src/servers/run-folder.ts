import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The process whose end is the end of the test run: Jest itself, not its worker (set in jest.config.mjs). */
export const testRun = Number(process.env['TEST_RUN_PID'] ?? process.pid);

/**
 * Looks once a second whether the owner lives. When it is gone, however it ended, ends every process that left its
 * number in a pid file of the folder (PostgreSQL takes its shared memory along when it is told to quit) and removes the
 * folder. Ends by itself with the folder.
 */
const watch = `
while [ -d "$1" ]; do
  if ! kill -0 "$2" 2>/dev/null; then
    for signal in QUIT KILL; do
      for file in "$1"/*/*.pid; do [ -f "$file" ] && kill -$signal "$(cat "$file")" 2>/dev/null; done
      sleep 0.3
    done
    rm -rf "$1"
  fi
  sleep 1
done`;

/**
 * The folder of everything that must not outlive a process: servers that run in its subfolders die within two seconds
 * after the owner, even when that one crashed, and no data is left behind.
 */
export function runFolder(owner: number): string {
  const folder = join(tmpdir(), `lyceum-test-run-${owner}`);
  const watcherFile = join(folder, 'watcher');
  mkdirSync(folder, { recursive: true });
  if (!lives(watcherFile)) {
    const watcher = spawn('sh', ['-c', watch, 'watcher', folder, String(owner)], { detached: true, stdio: 'ignore' });
    watcher.unref();
    writeFileSync(watcherFile, String(watcher.pid));
  }
  return folder;
}

/** A new folder for one server of the owner. */
export const serverFolder = (owner: number, name: string): Promise<string> =>
  mkdtemp(join(runFolder(owner), `${name}-`));

function lives(pidFile: string): boolean {
  try {
    return process.kill(Number(readFileSync(pidFile, 'utf8')), 0);
  } catch {
    return false;
  }
}
