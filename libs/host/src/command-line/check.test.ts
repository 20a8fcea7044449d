import { ofStream, personal } from '@lyceum/kernel';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { freePort } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { mailObstacle, obstacles, shortcomings } from './check.ts';
import { readEnvironment } from '../settings/environment.ts';
import { createLogger } from '../logger.ts';
import { type AnyModule, StartRefused } from '@lyceum/service';
import { openPorts } from '../engines/ports.ts';

const module: AnyModule = {
  name: 'auth',
  routes: [],
  consumes: [],
  events: [{ Joined: { version: 1, data: z.object({ name: personal(z.string(), ofStream) }) } }],
  start: () => Promise.reject(new Error('not started in this test')),
};
const logger = createLogger('silent');

let folder: string;
let data: string;
let env: Record<string, string>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-check-'));
  data = join(folder, 'data');
  env = { DATA_DIR: data, PORT: String(await freePort()), OPERATOR_PORT: String(await freePort()) };
});
afterEach(() => rm(folder, { recursive: true }));

const settingsOf = (more: Record<string, string> = {}) => readEnvironment([module], { ...env, ...more }).settings;
const found = (more: Record<string, string> = {}) => obstacles([module], settingsOf(more));

/** What a start says to the same. */
const startOver = (more: Record<string, string> = {}) =>
  openPorts([module], settingsOf(more), logger).then(
    (open) => open.close(),
    (error: unknown) => error as StartRefused,
  );

/** A data folder as a system that ran has left it, with a person in it. */
async function leftBehind(): Promise<void> {
  const open = await openPorts([module], settingsOf(), logger);
  const events = [{ stream: 'account_1', type: 'Joined', schema: 1, data: { name: 'Ada' } }];
  const append = { tenant: 'school_1', expectations: [], events, commitId: randomUUID(), fingerprint: '' };
  await open.of('auth').log.append({ ...append, at: '2026-01-05T08:00:00.000Z', meta: { actor: 'test' } });
  await open.close();
}

async function everythingIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder, { recursive: true })).sort();
}

describe('newcomer 22: --check finds what a start refuses, and changes nothing', () => {
  const otherKey = { KEY_ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64') };

  test('nothing, before the first start and after one', async () => {
    expect(await found()).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
    await leftBehind();
    const there = await everythingIn(data);
    expect(await found()).toEqual([]);
    expect(await everythingIn(data)).toEqual(there);
  });

  test.each<[string, () => Promise<unknown>, Record<string, string>, RegExp]>([
    ['a lost event log', () => rm(join(data, 'auth', 'events.db')), {}, /events\.db is missing/],
    ['a lost root key', () => rm(join(data, 'key-encryption-key')), {}, /key-encryption-key is missing/],
    ['lost keys', () => rm(join(data, 'auth', 'keys.db')), {}, /keys of auth are not those of its event log/],
    ['another root key', async () => undefined, otherKey, /KEY_ENCRYPTION_KEY_PREVIOUS/],
    ['a root key that is none', () => writeFile(join(data, 'key-encryption-key'), 'x'), {}, /does not hold 32 bytes/],
    [
      'production without a root key',
      async () => undefined,
      { NODE_ENV: 'production' },
      /KEY_ENCRYPTION_KEY is not set/,
    ],
    ['half a restore', () => writeFile(join(data, '.restoring'), ''), {}, /was cut off/],
    ['a damaged log', () => writeFile(join(data, 'auth', 'events.db'), 'no database'.repeat(400)), {}, /is damaged/],
    [
      'damaged read models',
      () => writeFile(join(data, 'auth', 'documents.db'), 'x'.repeat(4096)),
      {},
      /Delete the file/,
    ],
    ['another number of lanes', async () => undefined, { LANES: '3' }, /unset LANES/],
  ])('%s', async (_, damage, more, told) => {
    await leftBehind();
    await damage();
    const there = await everythingIn(data);
    const lines = await found(more);
    expect(lines.join('\n')).toMatch(told);
    expect((await everythingIn(data)).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(
      there.filter((name) => !/-(wal|shm)$/.test(name)),
    );
    const refused = await startOver(more);
    expect(refused).toBeInstanceOf(StartRefused);
    expect(lines).toContain([refused!.message, ...refused!.lines].join('\n'));
  });

  test('what the program refuses by itself', async () => {
    const refuse = () => Promise.reject(new StartRefused('No demo here', ['  Take another folder']));
    expect(await obstacles([module], settingsOf(), refuse)).toEqual(['No demo here\n  Take another folder']);
  });
});

describe('newcomer 22: --check warns of what a start goes on with', () => {
  const warned = (more: Record<string, string>) => shortcomings([module], settingsOf(more));

  test('backups that have no place', async () => {
    expect(await warned({})).toEqual([]);
    expect(await warned({ BACKUP_DIR: join(data, 'backups') })).toEqual([
      expect.stringContaining('apart from DATA_DIR'),
    ]);
    const file = join(folder, 'file');
    await writeFile(file, '');
    expect(await warned({ BACKUP_DIR: join(file, 'backups') })).toEqual([expect.stringContaining('cannot be used')]);
  });

  test('mail that leaves nobody, and a mail server that does not answer', async () => {
    expect(await warned({ NODE_ENV: 'production' })).toEqual([expect.stringContaining('SMTP_URL is not set')]);
    const smtp = { SMTP_URL: `smtp://u:planted@127.0.0.1:${await freePort()}`, MAIL_FROM: 'a@b.test' };
    const [line] = await mailObstacle(settingsOf(smtp));
    expect(line).toContain('the mail server does not let us in');
    expect(line).not.toContain('planted');
    expect(await mailObstacle(settingsOf())).toEqual([]);
  });
});
