import { afterAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AlreadyRunning, type Bindable, DatabaseClosed } from './database.ts';
import { openDatabase } from './open-database.ts';

const folder = await mkdtemp(join(tmpdir(), 'lyceum-sqlite-'));
afterAll(() => rm(folder, { recursive: true }));
let files = 0;
const newFile = (): string => join(folder, String((files += 1)), 'nested', 'test.db');
const open = (file = newFile()) => openDatabase(file, { durable: true });

const pragma = (database: Awaited<ReturnType<typeof open>>, name: string): unknown =>
  Object.values(database.prepare(`PRAGMA ${name}`).get()!)[0];

describe('openDatabase', () => {
  test('creates the folder and sets exclusive lock, WAL, synchronous and checkpoint size', async () => {
    const file = newFile();
    const database = await open(file);
    expect(pragma(database, 'locking_mode')).toBe('exclusive');
    expect(pragma(database, 'journal_mode')).toBe('wal');
    expect(pragma(database, 'synchronous')).toBe(2);
    expect(pragma(database, 'wal_autocheckpoint')).toBe(10_000);
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
    database.close();
    const fast = await openDatabase(file, { durable: false });
    expect(pragma(fast, 'synchronous')).toBe(1);
    fast.close();
  });

  test('S17: the file and what lies beside it are for their owner only, also those of an earlier release', async () => {
    const file = newFile();
    const modes = () => Promise.all([file, `${file}-wal`].map(async (each) => (await stat(each)).mode & 0o777));
    const first = await open(file);
    first.exec('CREATE TABLE t (a)');
    expect(await modes()).toEqual([0o600, 0o600]);
    first.close();
    await chmod(file, 0o644);
    const second = await open(file);
    second.exec('INSERT INTO t VALUES (1)');
    expect(await modes()).toEqual([0o600, 0o600]);
    second.close();
  });

  test('a second opening is refused and names the folder; after close it succeeds and finds what was committed', async () => {
    const file = newFile();
    const first = await open(file);
    first.exec('CREATE TABLE t (a)');
    const insert = first.prepare('INSERT INTO t VALUES (?)');
    insert.run(1);
    const refused = await open(file).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AlreadyRunning);
    expect(refused).toMatchObject({
      folder: dirname(file),
      message: `already running on this data directory: ${dirname(file)}`,
    });
    insert.run(2);
    first.close();
    const second = await open(file);
    expect(second.prepare('SELECT a FROM t ORDER BY a').all()).toEqual([{ a: 1 }, { a: 2 }]);
    second.close();
  });

  test('a file held by another process is refused, until that process is killed', async () => {
    const file = newFile();
    await (await open(file)).close();
    const holder = await holding(file);
    await expect(open(file)).rejects.toThrow(AlreadyRunning);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const database = await open(file);
    expect(database.prepare('SELECT a FROM t').all()).toEqual([{ a: 7 }]);
    database.close();
  });

  test('a file that is not a database is refused with the reason of the engine', async () => {
    const file = join(folder, 'text.db');
    await writeFile(file, 'this is a text, not a database, and long enough to be looked at. '.repeat(40));
    const refused = await open(file).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Error);
    expect(refused).not.toBeInstanceOf(AlreadyRunning);
    expect((refused as Error).message).toMatch(/not a database/);
  });
});

/** Another process that opens the file as we do, writes a row and keeps the lock. */
async function holding(file: string) {
  const script = `
    import Driver from 'libsql';
    const db = new Driver(${JSON.stringify(file)});
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    db.exec('CREATE TABLE t (a); INSERT INTO t VALUES (7)');
    console.log('locked');
    setInterval(() => db.open, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: dirname(fileURLToPath(import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

describe('a database', () => {
  test('rows have exactly the selected columns', async () => {
    const database = await open();
    const row = { text: 'ü', whole: 3, half: 0.5, none: null };
    const select = database.prepare('SELECT ? AS text, ? AS whole, ? AS half, ? AS none');
    expect(select.get('ü', 3, 0.5, null)).toStrictEqual(row);
    expect(select.all('ü', 3, 0.5, null)).toStrictEqual([row]);
    expect(database.prepare('SELECT ? AS only').get(null)).toStrictEqual({ only: null });
    expect(database.prepare('SELECT 1 WHERE 0').get()).toBeUndefined();
    database.close();
  });

  test('refuses booleans, which end the process in the engine, and undefined, which would become NULL', async () => {
    const database = await open();
    const select = database.prepare('SELECT ? AS a');
    for (const value of [true, undefined]) expect(() => select.get(value as unknown as Bindable)).toThrow(TypeError);
    database.close();
  });

  test('a transaction commits its result, or undoes everything and throws', async () => {
    const database = await open();
    database.exec('CREATE TABLE t (a INTEGER PRIMARY KEY)');
    const insert = database.prepare('INSERT INTO t VALUES (?)');
    expect(database.transaction(() => insert.run(1).changes)).toBe(1);
    expect(() =>
      database.transaction(() => {
        insert.run(2);
        insert.run(1);
      }),
    ).toThrow(/UNIQUE/);
    expect(database.prepare('SELECT a FROM t').all()).toEqual([{ a: 1 }]);
    database.close();
  });

  test('closing in a transaction undoes it, and nothing works afterwards', async () => {
    const file = newFile();
    const database = await open(file);
    database.exec('CREATE TABLE t (a)');
    const insert = database.prepare('INSERT INTO t VALUES (?)');
    database.begin();
    insert.run(1);
    database.close();
    database.close();
    expect(() => insert.run(2)).toThrow(DatabaseClosed);
    expect(() => database.exec('SELECT 1')).toThrow(DatabaseClosed);
    const again = await open(file);
    expect(again.prepare('SELECT a FROM t').all()).toEqual([]);
    again.close();
  });

  test('a row that was read does not keep the WAL from being reused', async () => {
    const file = newFile();
    const database = await open(file);
    database.exec('PRAGMA wal_autocheckpoint = 50; CREATE TABLE t (a)');
    const insert = database.prepare('INSERT INTO t VALUES (?)');
    const first = database.prepare('SELECT a FROM t');
    for (let n = 0; n < 100; n += 1) {
      database.transaction(() => Array.from({ length: 20 }, () => insert.run('x'.repeat(1_000))));
      first.get();
    }
    expect((await stat(`${file}-wal`)).size).toBeLessThan(1_000_000);
    database.close();
  });
});
