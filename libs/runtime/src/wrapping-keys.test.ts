import { StartRefused } from '@lyceum/runtime';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeKey, keyEncryptionKey } from './key-encryption-key.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-key-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the key-encryption key', () => {
  test('is made once, 0600, and the same for all who start together', async () => {
    const settings = { DATA_DIR: join(folder, 'new'), NODE_ENV: 'development' };
    const keys = await Promise.all(Array.from({ length: 8 }, () => keyEncryptionKey(settings)));
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
    expect(keys[0]).toHaveLength(32);
    const file = join(folder, 'new', 'key-encryption-key');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(decodeKey(await readFile(file, 'utf8'))).toEqual(keys[0]);
  });

  test('is the one of the environment when there is one', async () => {
    const KEY_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
    const key = await keyEncryptionKey({ KEY_ENCRYPTION_KEY, DATA_DIR: folder, NODE_ENV: 'production' });
    expect(key).toEqual(Buffer.alloc(32, 7));
  });

  test('has to be given in production', async () => {
    await expect(keyEncryptionKey({ DATA_DIR: folder, NODE_ENV: 'production' })).rejects.toThrow(StartRefused);
  });

  test('a damaged file stops the start instead of being replaced', async () => {
    await writeFile(join(folder, 'key-encryption-key'), 'damaged');
    await expect(keyEncryptionKey({ DATA_DIR: folder, NODE_ENV: 'development' })).rejects.toThrow(/32 bytes/);
    expect(await readFile(join(folder, 'key-encryption-key'), 'utf8')).toBe('damaged');
  });

  test.each(['', 'x', 'A'.repeat(42), `${'A'.repeat(44)}=`, `${'A'.repeat(42)}!`])('%j is not a key', (text) =>
    expect(decodeKey(text)).toBeUndefined(),
  );
});
