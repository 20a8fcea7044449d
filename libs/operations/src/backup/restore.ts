import { mkdir, readFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Corrupted, Gap, LogFileDamaged, reviveLogFile } from '@lyceum/eventlog';
import { isoTime, systemClock, codeOf, messageOf } from '@lyceum/kernel';
import type { z } from 'zod';
import { StartRefused } from '@lyceum/service';
import { BackupDamaged, copyChecked, writeNew } from './copied.ts';
import { withholdMail } from '../withheld/withheld-mail.ts';
import { type Manifest, manifestSchema, places, secretsSchema } from './manifest.ts';
import { firstIssue } from '../first-issue.ts';

/** Stands in a data folder while it is filled. */
const marker = '.restoring';

/** Refuses a data folder that a restore has filled only in part. */
export async function refuseHalfRestored(dataDir: string): Promise<void> {
  const found = await stat(join(dataDir, marker)).catch(() => undefined);
  if (found) throw new StartRefused(`A restore into ${dataDir} was cut off`, ['  Empty the folder and restore again']);
}

/** What is restored, and where to. */
export interface Restoring {
  readonly from: string;
  /** Where the keys and secrets lie; in the backup itself when not given. */
  readonly secrets?: string | undefined;
  readonly dataDir: string;
}

/**
 * Fills an empty data folder from a backup: every file is compared with its manifest, every lane read through, and each
 * log gets a new incarnation. Read models are built by the next start, which sends no mail until its operator releases it. Throws `StartRefused`, and leaves the folder
 * empty, when the folder is not empty or anything of the backup is missing or damaged.
 */
export async function restore({ from, secrets = join(from, places.secrets), dataDir }: Restoring): Promise<Manifest> {
  if ((await readdir(dataDir).catch(() => [])).length > 0)
    throw new StartRefused(`${dataDir} is not empty, and a restore overwrites nothing`, [
      '  Give it a folder of its own: DATA_DIR=./restored',
    ]);
  const manifest = await manifestOf(from, manifestSchema);
  const kept = await manifestOf(secrets, secretsSchema);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeNew(join(dataDir, marker), '');
  try {
    for (const [service, { bytes, sha256, ...state }] of Object.entries(manifest.services)) {
      const target = join(dataDir, places.log(service));
      await copyChecked(join(from, places.log(service)), target, { bytes, sha256 });
      await reviveLogFile(target, state);
    }
    for (const [path, file] of Object.entries(kept.files))
      await copyChecked(join(secrets, path), join(dataDir, path), file);
    await withholdMail(dataDir, isoTime(systemClock.now()));
    await rm(join(dataDir, marker));
    return manifest;
  } catch (error) {
    for (const each of await readdir(dataDir)) await rm(join(dataDir, each), { recursive: true, force: true });
    throw unusable(error, from);
  }
}

async function manifestOf<T extends z.ZodType>(folder: string, schema: T): Promise<z.output<T>> {
  const file = join(folder, places.manifest);
  let found: unknown;
  try {
    found = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new StartRefused(`${folder} holds no complete backup: ${messageOf(cause)}`);
  }
  const parsed = schema.safeParse(found);
  if (parsed.success) return parsed.data;
  throw new StartRefused(`${file} cannot be used: ${firstIssue(parsed.error)}`);
}

/** What is wrong with a backup, for a person; other errors stay what they are. */
function unusable(error: unknown, from: string): unknown {
  const ours = [BackupDamaged, Corrupted, LogFileDamaged, Gap].some((type) => error instanceof type);
  const missing = codeOf(error) === 'ENOENT';
  if (!ours && !missing) return error;
  return new StartRefused(`The backup in ${from} is refused: ${messageOf(error)}`);
}
