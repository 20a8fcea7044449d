import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartRefused } from '@lyceum/service';
import { decodeKey, wrappingKeys } from './wrapping-keys.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-key-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** The key that wraps. */
const current = async (source: Parameters<typeof wrappingKeys>[0]) => (await wrappingKeys(source))[0];

describe('the key-encryption key', () => {
  test('is made once, 0600, and the same for all who start together', async () => {
    const settings = { DATA_DIR: join(folder, 'new'), NODE_ENV: 'development' };
    const keys = await Promise.all(Array.from({ length: 8 }, () => current(settings)));
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
    expect(keys[0]).toHaveLength(32);
    const file = join(folder, 'new', 'key-encryption-key');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(decodeKey(await readFile(file, 'utf8'))).toEqual(keys[0]);
  });

  test('is the one of the environment when there is one', async () => {
    const KEY_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
    const key = await current({ KEY_ENCRYPTION_KEY, DATA_DIR: folder, NODE_ENV: 'production' });
    expect(key).toEqual(Buffer.alloc(32, 7));
  });

  test('is followed by its predecessors', async () => {
    const [a, b, c] = [1, 2, 3].map((fill) => Buffer.alloc(32, fill)) as [Buffer, Buffer, Buffer];
    const source = {
      KEY_ENCRYPTION_KEY: a.toString('base64'),
      KEY_ENCRYPTION_KEY_PREVIOUS: `${b.toString('base64')}, ${c.toString('base64url')}`,
      DATA_DIR: folder,
      NODE_ENV: 'production',
    };
    expect(await wrappingKeys(source)).toEqual([a, b, c]);
    await expect(wrappingKeys({ ...source, KEY_ENCRYPTION_KEY_PREVIOUS: 'x' })).rejects.toThrow(StartRefused);
  });

  test('has to be given in production', async () => {
    await expect(current({ DATA_DIR: folder, NODE_ENV: 'production' })).rejects.toThrow(StartRefused);
  });

  test('a damaged file stops the start instead of being replaced', async () => {
    await writeFile(join(folder, 'key-encryption-key'), 'damaged');
    await expect(current({ DATA_DIR: folder, NODE_ENV: 'development' })).rejects.toThrow(/32 bytes/);
    expect(await readFile(join(folder, 'key-encryption-key'), 'utf8')).toBe('damaged');
  });

  test.each(['', 'x', 'A'.repeat(42), `${'A'.repeat(44)}=`, `${'A'.repeat(42)}!`])('%j is not a key', (text) =>
    expect(decodeKey(text)).toBeUndefined(),
  );
});
