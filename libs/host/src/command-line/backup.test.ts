import { afterAll, describe, expect, test } from '@jest/globals';
import { memoryMail } from '@lyceum/mail';
import { type EventLog, type KeyStore, sqliteEventLog, sqliteKeyStore } from '@lyceum/eventlog';
import { type Database, openDatabase } from '@lyceum/sqlite';
import { randomUUID } from 'node:crypto';
import { appendFile, cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type BackupParts,
  type Manifest,
  PlaceRefused,
  backUp,
  fingerprintOf,
  mailGate,
  placeFor,
  refuseHalfRestored,
  restore,
  sampleLogs,
} from '@lyceum/operations';
import { StartRefused, Watch } from '@lyceum/service';
import type { ProcessSettings } from '../settings/settings.ts';
import { checkLogCommand } from './log-command.ts';

const root = await mkdtemp(join(tmpdir(), 'lyceum-backup-'));
const open: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const each of open) await each.close();
  await rm(root, { recursive: true });
});
let count = 0;
const folder = async (): Promise<string> => {
  const path = join(root, String((count += 1)));
  await mkdir(path);
  return path;
};

const write = (log: EventLog, n: number) =>
  log.append({
    tenant: `school_${n % 5}`,
    expectations: [],
    events: [{ stream: `note-${n}`, type: 'Noted', schema: 1, data: { text: 'x'.repeat(500), n } }],
    commitId: randomUUID(),
    fingerprint: '',
    at: '2026-01-05T08:00:00.000Z',
    meta: { actor: 'test' },
  });

/** Two services with logs, keys and a secret, as a process has them open. */
async function running(commits = 50) {
  const dataDir = await folder();
  await writeFile(join(dataDir, 'operator-token'), 'planted\n', { mode: 0o600 });
  const logs: BackupParts['logs'][number][] = [];
  let database!: Database;
  for (const service of ['auth', 'catalog']) {
    const file = join(dataDir, service, 'events.db');
    const log = await sqliteEventLog({
      file,
      open: async (path) => (database = await openDatabase(path, { durable: true })),
    });
    logs.push({ service, file, database, log });
    open.push(log);
    await Promise.all(Array.from({ length: commits }, (_, n) => write(log, n)));
  }
  const keys: KeyStore = await sqliteKeyStore({ file: join(dataDir, 'auth', 'keys.db') });
  await keys.add({ tenant: 'school_1' }, 'wrapped');
  await keys.close();
  const keyFile = await openDatabase(join(dataDir, 'auth', 'keys.db'), { durable: true });
  open.push({ close: async () => keyFile.close() });
  const parts = { logs, keys: [{ service: 'auth', database: keyFile }], dataDir, at: '2026-01-05T08:00:00.000Z' };
  return { dataDir, logs, parts };
}

/** All commits of a log, lane by lane. */
async function commitsOf(log: EventLog, heads: readonly number[]) {
  const found = [];
  for (const [lane, head] of heads.entries()) found.push((await log.readLane(lane, 0, 1_000_000)).slice(0, head));
  return found;
}

describe('a backup', () => {
  test('that is made while writers write has exactly the commits up to its heads, of one moment for all services', async () => {
    const { logs, parts } = await running();
    const writing = new AbortController();
    let acknowledged = 0;
    const writers = logs.flatMap(({ log }) =>
      Array.from({ length: 8 }, async (_, caller) => {
        for (let n = 100 + caller; !writing.signal.aborted; n += 8) {
          await write(log, n);
          acknowledged += 1;
        }
      }),
    );
    const target = await folder();
    const before = acknowledged;
    const manifest = await backUp(target, parts);
    const during = acknowledged - before;
    writing.abort();
    await Promise.all(writers);
    expect(during).toBeGreaterThan(0);

    const dataDir = join(root, 'restored');
    expect(await restore({ from: target, dataDir })).toEqual(manifest);
    expect((await mailGate(memoryMail(), dataDir, undefined)).withheldSince()).toBeDefined();
    for (const { service, log } of logs) {
      const { heads, incarnation } = manifest.services[service]!;
      const restored = await sqliteEventLog({ file: join(dataDir, service, 'events.db') });
      open.push(restored);
      expect(await commitsOf(restored, await Promise.all(heads.map((_, lane) => restored.head(lane))))).toEqual(
        await commitsOf(log, heads),
      );
      expect([log.epoch, restored.epoch === incarnation]).toEqual([incarnation, false]);
    }
    expect(await readFile(join(dataDir, 'operator-token'), 'utf8')).toBe('planted\n');
    const keys = await sqliteKeyStore({ file: join(dataDir, 'auth', 'keys.db') });
    open.push(keys);
    expect(await keys.get({ tenant: 'school_1' })).toEqual({ wrapped: 'wrapped' });
    await refuseHalfRestored(dataDir);
  });

  test('keeps keys and secrets apart from the logs, and needs them back, from wherever they are', async () => {
    const { parts } = await running(3);
    const target = await folder();
    await backUp(target, parts);
    expect((await readdir(target)).sort()).toEqual(['auth', 'catalog', 'manifest.json', 'secrets']);
    expect(await readdir(join(target, 'auth'))).toEqual(['events.db']);
    const elsewhere = join(await folder(), 'kept');
    await cp(join(target, 'secrets'), elsewhere, { recursive: true });
    await rm(join(target, 'secrets'), { recursive: true });
    const dataDir = join(root, `restored-${count}`);
    await expect(restore({ from: target, dataDir })).rejects.toThrow(/no complete backup/);
    await restore({ from: target, secrets: elsewhere, dataDir });
    expect(await readdir(join(dataDir, 'auth'))).toContain('keys.db');
  });

  test('leaves nothing behind when it fails', async () => {
    const { parts, logs } = await running(3);
    const target = await folder();
    await logs[1]!.log.close();
    await expect(backUp(target, parts)).rejects.toThrow();
    expect(await readdir(target)).toEqual([]);
  });
});

/** Puts NUL bytes into a commit in the file of an open log. */
function damage({ database }: BackupParts['logs'][number]): void {
  const { id, lines } = database
    .prepare<{ id: number; lines: string }>('SELECT id, lines FROM commits ORDER BY id LIMIT 1')
    .get()!;
  const nul = `${lines.slice(0, -70)}${'\0'.repeat(30)}${lines.slice(-40)}`;
  database.prepare('UPDATE commits SET lines = ? WHERE id = ?').run(nul, id);
}

/** A process whose catalogue has one damaged commit, opened anew as its memory would hide that. */
async function damagedRunning() {
  const { dataDir, logs, parts } = await running(12);
  const catalog = logs[1]!;
  await catalog.log.close();
  const file = await openDatabase(catalog.file, { durable: true });
  // A start that finds it in the newest commits would refuse; this one is in the index.
  damage({ ...catalog, database: file });
  file.close();
  let database!: Database;
  const open_ = async (path: string) => (database = await openDatabase(path, { durable: true }));
  const log = await sqliteEventLog({ file: catalog.file, open: open_ });
  open.push(log);
  return { dataDir, parts: { ...parts, logs: [logs[0]!, { ...catalog, database, log }] } };
}

describe('a log with a damaged commit', () => {
  test('is not backed up as if it were whole: the commit is named, and nothing is left behind', async () => {
    const { parts } = await damagedRunning();
    const target = await folder();
    const said = /^The event log of catalog is damaged at position \d+ of its lane \d+$/;
    await expect(backUp(target, parts)).rejects.toThrow(said);
    expect(await readdir(target)).toEqual([]);
  });

  test('is told to whoever checks the logs, and by a start that looks at some of it, with an alarm', async () => {
    const { dataDir, parts } = await damagedRunning();
    const watch = new Watch();
    const told: string[] = [];
    const logger = { error: (_: object, text: string) => told.push(text) } as never;
    await sampleLogs(parts.logs, watch, logger);
    expect(told).toEqual([expect.stringMatching(/^The event log of catalog is damaged at position/)]);
    expect(watch.alarms()).toEqual([
      { service: 'auth', name: 'log_faults', value: 0 },
      { service: 'catalog', name: 'log_faults', value: 1 },
    ]);
    for (const { log } of parts.logs) await log.close();
    const { lines, isWhole } = await checkLogCommand({ DATA_DIR: dataDir } as ProcessSettings, []);
    expect([lines, isWhole]).toEqual([told, false]);
  });

  test('is not restored from a backup that an older release made of it', async () => {
    const { parts } = await running(12);
    const target = await folder();
    await backUp(target, parts);
    const file = join(target, 'catalog', 'events.db');
    const database = await openDatabase(file, { durable: true });
    damage({ ...parts.logs[1]!, database });
    database.close();
    const { sha256, bytes } = await fingerprintOf(file);
    const before = JSON.parse(await readFile(join(target, 'manifest.json'), 'utf8')) as Manifest;
    Object.assign(before.services['catalog']!, { sha256, bytes });
    await writeFile(join(target, 'manifest.json'), JSON.stringify(before));
    const restoring = restore({ from: target, dataDir: await folder() });
    await expect(restoring).rejects.toThrow(
      /The backup in .* is refused: the commit at position \d+ of lane \d+ is damaged/,
    );
  });
});

describe('a restore', () => {
  test('refuses a folder that is not empty, and touches nothing in it', async () => {
    const { parts } = await running(1);
    const target = await folder();
    await backUp(target, parts);
    const dataDir = await folder();
    await writeFile(join(dataDir, 'mine'), 'kept');
    await expect(restore({ from: target, dataDir })).rejects.toThrow(/not empty/);
    expect(await readdir(dataDir)).toEqual(['mine']);
  });

  test('that was cut off keeps the next start from taking half of it for all', async () => {
    const dataDir = await folder();
    await refuseHalfRestored(dataDir);
    await writeFile(join(dataDir, '.restoring'), '');
    await expect(refuseHalfRestored(dataDir)).rejects.toThrow(StartRefused);
  });

  const damages: readonly (readonly [string, (backup: string) => Promise<void>])[] = [
    ['a bit flipped in a log', (backup) => flip(join(backup, 'catalog', 'events.db'), 0.5)],
    ['a bit flipped in the last byte of a log', (backup) => flip(join(backup, 'catalog', 'events.db'), 0.999999)],
    ['a bit flipped in a key store', (backup) => flip(join(backup, 'secrets', 'auth', 'keys.db'), 0.9)],
    ['a longer log', (backup) => appendFile(join(backup, 'auth', 'events.db'), 'x')],
    ['a missing log', (backup) => rm(join(backup, 'auth', 'events.db'))],
    ['a missing secret', (backup) => rm(join(backup, 'secrets', 'operator-token'))],
    ['no manifest', (backup) => rm(join(backup, 'manifest.json'))],
    ['another head', (backup) => edit(backup, (text) => text.replace(/("heads": \[\s+)\d+/, '$1999'))],
    ['a path that leads out', (backup) => edit(backup, (text) => text.replace('"auth"', '"../auth"'))],
    ['another format', (backup) => edit(backup, (text) => text.replace('"format": 1', '"format": 2'))],
  ];
  test.each(damages)('refuses a backup with %s, and leaves the folder empty', async (_, damage) => {
    const { parts } = await running(20);
    const target = await folder();
    await backUp(target, parts);
    await damage(target);
    const dataDir = await folder();
    await expect(restore({ from: target, dataDir })).rejects.toThrow(StartRefused);
    expect(await readdir(dataDir)).toEqual([]);
  });
});

async function flip(file: string, where: number): Promise<void> {
  const bytes = await readFile(file);
  bytes[Math.floor(bytes.length * where)]! ^= 1;
  await writeFile(file, bytes);
}

async function edit(backup: string, change: (text: string) => string): Promise<void> {
  const file = join(backup, 'manifest.json');
  const text = await readFile(file, 'utf8');
  expect(change(text)).not.toBe(text);
  await writeFile(file, change(text));
}

describe('the place of a backup', () => {
  test('half a backup whose process ended does not keep its name; a whole one, or one of others, does', async () => {
    const [DATA_DIR, BACKUP_DIR] = [await folder(), await folder()];
    const place = await placeFor('monday', { DATA_DIR, BACKUP_DIR });
    await writeFile(join(place, '.backing-up'), DATA_DIR);
    await mkdir(join(place, 'auth'));
    expect(await readdir(await placeFor('monday', { DATA_DIR, BACKUP_DIR }))).toEqual([]);
    await writeFile(join(place, '.backing-up'), 'of others');
    await expect(placeFor('monday', { DATA_DIR, BACKUP_DIR })).rejects.toThrow(PlaceRefused);
    await writeFile(join(place, '.backing-up'), DATA_DIR);
    await writeFile(join(place, 'manifest.json'), '{}');
    await expect(placeFor('monday', { DATA_DIR, BACKUP_DIR })).rejects.toThrow(PlaceRefused);
  });

  test('is made when it is new, and may be empty', async () => {
    const [DATA_DIR, BACKUP_DIR] = [await folder(), await folder()];
    expect(await placeFor(join(BACKUP_DIR, 'deep'), { DATA_DIR, BACKUP_DIR })).toBe(join(BACKUP_DIR, 'deep'));
    expect(await placeFor('nightly/1', { DATA_DIR, BACKUP_DIR })).toBe(join(BACKUP_DIR, 'nightly/1'));
  });

  test('is refused wherever it could overwrite, hide or escape', async () => {
    const [DATA_DIR, BACKUP_DIR, full] = [await folder(), await folder(), await folder()];
    await writeFile(join(full, 'mine'), '');
    await symlink(root, join(BACKUP_DIR, 'out'));
    const refused: readonly [asked: string, backups: string][] = [
      [full, root],
      [DATA_DIR, root],
      [join(DATA_DIR, 'auth'), root],
      [root, join(root, '..')],
      [join(root, 'elsewhere'), BACKUP_DIR],
      ['../elsewhere', BACKUP_DIR],
      ['.', BACKUP_DIR],
      ['out/elsewhere', BACKUP_DIR],
      ['a\0b', BACKUP_DIR],
    ];
    for (const [asked, backups] of refused)
      await expect(placeFor(asked, { DATA_DIR, BACKUP_DIR: backups })).rejects.toThrow(PlaceRefused);
  });
});
