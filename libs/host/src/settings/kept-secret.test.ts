import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepSecret, readSecret } from './kept-secret.ts';

describe('a kept secret', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lyceum-secret-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('is made once, kept for its owner only, and read ever after', async () => {
    const file = join(folder, 'deep', 'token');
    expect(await readSecret(file)).toBeUndefined();
    expect(await keepSecret(file, () => 'first')).toBe('first');
    expect(await keepSecret(file, () => 'second')).toBe('first');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('is the same for two who make it at the same moment, and leaves no draft', async () => {
    const file = join(folder, 'token');
    const kept = await Promise.all(['a', 'b'].map((each) => keepSecret(file, () => each)));
    expect(new Set(kept).size).toBe(1);
    expect(await readdir(folder)).toEqual(['token']);
  });
});
