import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a program keeps of one school. */
export interface KeptLogin {
  readonly client_id: string;
  readonly access_token?: string | undefined;
  readonly refresh_token?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly expires_at?: number | undefined;
}

/** Where a program keeps its registrations and tokens. */
export interface LoginStore {
  read(school: string): Promise<KeptLogin | undefined>;
  /** Undefined forgets the school. */
  write(school: string, kept: KeptLogin | undefined): Promise<void>;
  /** Runs work that no other process of the same store does at the same time. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** A lock that is older was left by a process that died. Milliseconds. */
const abandoned = 30_000;

/** Keeps logins in a file that only its owner can read (0600), and never half a file. */
export function fileStore(path: string): LoginStore {
  const all = async (): Promise<Record<string, KeptLogin>> => {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{}';
      throw error;
    });
    try {
      return JSON.parse(text) as Record<string, KeptLogin>;
    } catch {
      throw new Error(`${path} is not readable any more: remove it and log in again`);
    }
  };
  return {
    read: async (school) => (await all())[school],
    async write(school, kept) {
      const { [school]: _, ...others } = await all();
      const next = kept ? { ...others, [school]: kept } : others;
      const fresh = `${path}.${randomUUID()}`;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(fresh, JSON.stringify(next, null, 2), { mode: 0o600, flag: 'wx' });
      await chmod(fresh, 0o600);
      await rename(fresh, path);
    },
    async alone(work) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const release = await lock(`${path}.lock`);
      try {
        return await work();
      } finally {
        await release();
      }
    },
  };
}

async function lock(path: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      const handle = await open(path, 'wx', 0o600);
      await handle.close();
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const held = await stat(path).catch(() => undefined);
      if (held && Date.now() - held.mtimeMs > abandoned) await rm(path, { force: true });
      else await sleep(25);
    }
  }
}
