import { openDatabase } from '@lyceum/sqlite';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

interface Row {
  readonly tenant: string;
  readonly id: string;
  readonly body: string;
}

/** What processes note for themselves: how far they are, and what they have seen, rather than what is so. */
const notes = /^(pointers|snapshots|trust|withheld_facts|leases|process|duty)\b/;

/** The name of a collection without which build of it this is, its version, and the build. */
function partsOf(key: string) {
  const [, name = '', build = '1', version = '0'] = /^(.+?)(?:\.(\d+))?@(\d+)$/.exec(key) ?? [];
  return { name, age: Number(version) * 1_000 + Number(build) };
}

/**
 * The SHA-256 of every read model of a data folder that nobody has open, by service and name; none of those that are empty.
 * Of one that was built anew beside the live one the newest counts.
 */
export async function checksums(dataDir: string): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  for (const service of await readdir(dataDir)) {
    const file = join(dataDir, service, 'documents.db');
    if (!existsSync(file)) continue;
    const database = await openDatabase(file, { durable: false });
    try {
      const found = database.prepare<{ slot: number; key: string }>('SELECT slot, key FROM collection').all();
      const collections = found.map(({ slot, key }) => ({ slot, ...partsOf(key) }));
      for (const { slot, name } of collections.toSorted((one, other) => one.age - other.age)) {
        const rows = database.prepare<Row>(`SELECT tenant, id, body FROM documents_${slot} ORDER BY tenant, id`).all();
        if (rows.length === 0 || notes.test(name)) continue;
        sums[`${service} ${name}`] = createHash('sha256').update(JSON.stringify(rows)).digest('hex');
      }
    } finally {
      await database.close();
    }
  }
  return sums;
}

/** Removes the read models of a data folder that nobody has open: the next start builds them anew. */
export async function removeReadModels(dataDir: string): Promise<void> {
  for (const service of await readdir(dataDir)) {
    const files = await readdir(join(dataDir, service)).catch(() => []);
    for (const file of files.filter((name) => name.startsWith('documents.db'))) await rm(join(dataDir, service, file));
  }
}
