import { spawn } from 'node:child_process';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The root of this repository. */
export const root = join(import.meta.dirname, '../../../../..');

/** Milliseconds that a step of a build may take. */
const patience = 600_000;

/** A release that was built beside the present one. */
export interface ReleaseBuild {
  readonly revision: string;
  /** The root of its tree. */
  readonly folder: string;
  remove(): Promise<void>;
}

/** The revision to compare with: the one that landed last, as far as this repository knows, else the one on file. */
export async function lastRelease(): Promise<string> {
  const landed = await run('git', ['rev-parse', '--verify', '--quiet', 'origin/main'], root).catch(() => '');
  return landed.trim() || (await readFile(join(root, 'libs/tools/crashtest/last-release.txt'), 'utf8')).trim();
}

/** Checks a revision out into a temporary folder, installs what it needs, and builds it. */
export async function buildOf(revision: string): Promise<ReleaseBuild> {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-release-'));
  const remove = async () => {
    await run('git', ['worktree', 'remove', '--force', folder], root).catch(() => '');
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await run('git', ['worktree', 'add', '--detach', folder, revision], root);
    await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], folder);
    await run('npm', ['exec', '--', 'tsc', '-b', 'services/all-in-one', '--noCheck'], folder);
    return { revision, folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Where builds have what makes a release stand before events that it does not know: here, and before its file moved. */
const standing = ['following/known-events.js', 'known-events.js'];

/** Whether a release stands before events that it does not know. The first one (cf2210f) passes over some of them. */
export async function standsBeforeUnknown(folder: string): Promise<boolean> {
  const isThere = (file: string) =>
    access(join(folder, 'libs/eventlog/dist', file)).then(
      () => true,
      () => false,
    );
  return (await Promise.all(standing.map(isThere))).includes(true);
}

/**
 * Whether a release, after an answer that is none, asks a peer over a new connection. Those up to dfa5fc1 stay with a process
 * that stands for as long as it keeps their connection.
 */
export async function leavesWhoStands(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, 'libs/internal-api/dist/peer.js'), 'utf8').catch(() => '');
  return text.includes('askPeer');
}

/** What a command prints. Throws when it fails or takes too long. */
export function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: patience });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (part: string) => void (out += part));
    child.stderr.setEncoding('utf8').on('data', (part: string) => void (err += part));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(out);
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${err || out}`));
    });
  });
}
