import { Vault, encryptedEventLog, catalogueOf, memoryEventLog, memoryKeyStore } from '@lyceum/eventlog';
import { ofStream, personal } from '@lyceum/kernel';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { refuseForeignKeys, refuseLostLogs } from './data-complete.ts';
import { StartRefused } from '@lyceum/service';
import { wrappingKeys } from '../settings/wrapping-keys.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-complete-'));
  await mkdir(join(folder, 'auth'));
});
afterEach(() => rm(folder, { recursive: true }));

const file = (name: string) => writeFile(join(folder, 'auth', name), 'x');

describe('an event log that is gone', () => {
  test.each(['keys.db', 'documents.db', 'events.db-wal'])(
    'is not replaced by an empty one beside %s',
    async (proof) => {
      await file(proof);
      await expect(refuseLostLogs(folder, ['auth'])).rejects.toThrow(/auth.events\.db is missing/);
      await file('events.db');
      await refuseLostLogs(folder, ['auth']);
    },
  );

  test('is none where nothing was ever written', async () => {
    await refuseLostLogs(folder, ['auth', 'catalog']);
    await refuseLostLogs(join(folder, 'new'), ['auth']);
  });
});

describe('keys', () => {
  const catalogue = catalogueOf([{ Joined: { version: 1, data: z.object({ name: personal(z.string(), ofStream) }) } }]);
  const root = Buffer.alloc(32, 7);

  async function written() {
    const [raw, store] = [memoryEventLog(), memoryKeyStore()];
    const vault = new Vault(store, [root]);
    const events = [{ stream: 'account-1', type: 'Joined', schema: 1, data: { name: 'Ada' } }];
    const append = { tenant: 'school_1', expectations: [], events, commitId: randomUUID(), fingerprint: '' };
    const meta = { actor: 'test' };
    const log = encryptedEventLog(raw, { vault, catalogue });
    await log.append({ ...append, at: '2026-01-05T08:00:00.000Z', meta });
    return { raw, store, vault };
  }

  test('that belong to the log let it start, also once a school is erased', async () => {
    const { raw, vault } = await written();
    await refuseForeignKeys('auth', raw, vault);
    await vault.destroySchool('school_1');
    await refuseForeignKeys('auth', raw, vault);
    await refuseForeignKeys('auth', memoryEventLog(), new Vault(memoryKeyStore(), [root]));
  });

  test('that are lost, or wrapped under another key, refuse the start with words', async () => {
    const { raw, store } = await written();
    const lost = refuseForeignKeys('auth', raw, new Vault(memoryKeyStore(), [root]));
    await expect(lost).rejects.toThrow(/keys of auth are not those of its event log/);
    const other = Buffer.alloc(32, 8);
    const foreign = refuseForeignKeys('auth', raw, new Vault(store, [other]));
    await expect(foreign).rejects.toThrow(/KEY_ENCRYPTION_KEY_PREVIOUS/);
    await refuseForeignKeys('auth', raw, new Vault(store, [other, root]));
  });

  test('are never sealed under a second key-encryption key that is made in place of the first', async () => {
    const source = { DATA_DIR: folder, NODE_ENV: 'development' };
    await wrappingKeys(source);
    await file('keys.db');
    await wrappingKeys(source);
    await rm(join(folder, 'key-encryption-key'));
    await expect(wrappingKeys(source)).rejects.toThrow(StartRefused);
    expect(await readdir(folder)).toEqual(['auth']);
    await wrappingKeys({ ...source, KEY_ENCRYPTION_KEY: root.toString('base64') });
  });
});
