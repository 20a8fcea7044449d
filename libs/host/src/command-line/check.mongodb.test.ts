import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ofStream, personal } from '@lyceum/kernel';
import { mongoDatabases } from '@lyceum/mongo';
import { availability, freePort } from '@lyceum/testkit';
import { silentLogger } from '@lyceum/web';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { obstacles } from './check.ts';
import { readEnvironment } from '../settings/environment.ts';
import type { AnyModule } from '@lyceum/service';
import { openPorts } from '../engines/ports.ts';

const { engines, reason } = await availability('mongodb');
if (engines.length === 0) test.skip(`--check on MongoDB-wire servers: ${reason}`, () => undefined);

const module: AnyModule = {
  name: 'auth',
  routes: [],
  consumes: [],
  events: [{ Joined: { version: 1, data: z.object({ name: personal(z.string(), ofStream) }) } }],
  start: () => Promise.reject(new Error('unused')),
};
const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');

describe.each(engines.slice(0, 1))('newcomer 22: --check on $title', (engine) => {
  const MONGODB_PREFIX = `check_${randomUUID().slice(0, 8)}_`;
  let folder: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lyceum-check-'));
    const [PORT, OPERATOR_PORT] = [String(await freePort()), String(await freePort())];
    env = { MONGODB_URL: (await engine.shared()).url, MONGODB_PREFIX, DATA_DIR: folder, PORT, OPERATOR_PORT };
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true }));
  const settingsOf = (byte: number) => readEnvironment([module], { ...env, KEY_ENCRYPTION_KEY: key(byte) }).settings;

  test('makes no database, and finds keys that do not open what is in the log', async () => {
    expect(await obstacles([module], settingsOf(1))).toEqual([]);
    expect(await mongoDatabases({ url: env['MONGODB_URL']! }, MONGODB_PREFIX)).toEqual([]);
    const open = await openPorts([module], settingsOf(1), silentLogger as never);
    const events = [{ stream: 'account_1', type: 'Joined', schema: 1, data: { name: 'Ada' } }];
    const append = { tenant: 'school_1', expectations: [], events, commitId: randomUUID(), fingerprint: '' };
    await open.of('auth').log.append({ ...append, at: '2026-01-05T08:00:00.000Z', meta: { actor: 'test' } });
    await open.close();
    expect(await obstacles([module], settingsOf(1))).toEqual([]);
    expect(await obstacles([module], settingsOf(2))).toEqual([expect.stringContaining('KEY_ENCRYPTION_KEY_PREVIOUS')]);
  }, 60_000);
});
