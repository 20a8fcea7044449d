import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Database, DatabaseClosed } from './database.ts';
import { openDatabase } from './open-database.ts';

const folder = await mkdtemp(join(tmpdir(), 'lyceum-scrubber-'));
afterAll(() => rm(folder, { recursive: true }));

let files = 0;

/** An open database in a folder of its own, and what is in its files. */
async function opened(durable: boolean) {
  const own = join(folder, `${(files += 1)}`);
  const database = await openDatabase(join(own, 'it.db'), { durable });
  database.exec('PRAGMA secure_delete = ON');
  database.exec(`
    CREATE TABLE rows (tenant TEXT, id TEXT, field TEXT, body TEXT, PRIMARY KEY (tenant, id));
    CREATE INDEX rows_field ON rows (tenant, field, id);
    CREATE TABLE keys (id TEXT PRIMARY KEY, body TEXT) WITHOUT ROWID;
  `);
  const bytes = async () =>
    (await Promise.all((await readdir(own)).map((name) => readFile(join(own, name), 'latin1')))).join('');
  return { database, bytes };
}

/** What a person wrote is nothing but this, so that any piece of it can be found. */
const secret = 'Q';
const piece = secret.repeat(6);

interface Row {
  readonly id: number;
  readonly isSecret: boolean;
  readonly length: number;
}

const row = fc.record({
  id: fc.integer({ min: 0, max: 400 }),
  isSecret: fc.boolean(),
  length: fc.oneof(fc.integer({ min: 1, max: 700 }), fc.integer({ min: 4_000, max: 9_000 })),
});

function write(database: Database, rows: readonly Row[]): void {
  const row = database.prepare('INSERT OR REPLACE INTO rows (tenant, id, field, body) VALUES (?, ?, ?, ?)');
  const key = database.prepare('INSERT OR REPLACE INTO keys (id, body) VALUES (?, ?)');
  for (const { id, isSecret, length } of rows) {
    const text = (isSecret ? secret : 'o').repeat(length);
    // Secret ids are themselves secret, and spread among the others.
    const name = isSecret ? `${id % 10}${secret.repeat(20)}${id}` : `${id % 10}o${id}`;
    row.run(`t${id % 3}`, name, text.slice(0, 300), text);
    key.run(name, text.slice(0, 90));
  }
}

const forget = (database: Database): void => {
  database.exec(`DELETE FROM rows WHERE instr(id, '${secret}')`);
  database.exec(`DELETE FROM keys WHERE instr(id, '${secret}')`);
};

const counted = (database: Database) => database.prepare('SELECT count(*) AS n FROM rows').get();
const isSound = (database: Database) => Object.values(database.prepare('PRAGMA integrity_check').get()!)[0] as string;

describe.each([true, false])('a scrub of a database, durable: %s', (durable) => {
  test('leaves no piece of what was deleted in any file, and everything else as it was', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 200, maxLength: 600 }),
        fc.array(row, { maxLength: 100 }),
        async (before, after) => {
          const { database, bytes } = await opened(durable);
          write(database, before);
          forget(database);
          const kept = counted(database);
          await database.scrub();
          expect((await bytes()).split(piece).length - 1).toBe(0);
          expect([counted(database), isSound(database)]).toEqual([kept, 'ok']);
          write(database, after);
          expect(isSound(database)).toBe('ok');
          database.close();
        },
      ),
      { numRuns: 25, interruptAfterTimeLimit: 8_000 },
    );
  });

  test('without it, copies are left where pages were split', async () => {
    const { database, bytes } = await opened(durable);
    const mixed = Array.from({ length: 2_000 }, (_, n): Row => ({
      id: (n * 7_919) % 2_000,
      isSecret: n % 5 === 0,
      length: n % 400,
    }));
    for (const each of mixed) write(database, [each]);
    forget(database);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    expect((await bytes()).split(piece).length - 1).toBeGreaterThan(0);
    await database.scrub();
    expect((await bytes()).split(piece).length - 1).toBe(0);
    database.close();
  });

  test('goes on beside writers, whose rows are all there', async () => {
    const { database, bytes } = await opened(durable);
    const rows = (from: number, isSecret: boolean) =>
      Array.from({ length: 1_000 }, (_, n): Row => ({ id: from + n, isSecret, length: 500 }));
    write(database, [...rows(0, false), ...rows(1_000, true), ...rows(2_000, false)]);
    forget(database);
    let writes = 0;
    for (let round = 0; round < 4; round += 1) {
      const ended = database.scrub().then(() => 'ended');
      while ((await Promise.race([ended, new Promise(setImmediate)])) !== 'ended')
        database.transaction(() => {
          // Between those that are there: pages are split, and get each other's numbers.
          const [some, more] = [(writes += 1), (writes += 1)];
          write(
            database,
            [some, more].map((id) => ({ id: 10_000 + id, isSecret: false, length: 100 + (id % 9) * 100 })),
          );
        });
      expect((await bytes()).split(piece).length - 1).toBe(0);
      write(database, rows(1_000, true));
      forget(database);
    }
    expect(writes).toBeGreaterThan(8);
    expect([counted(database), isSound(database)]).toEqual([{ n: 2_000 + writes }, 'ok']);
    await database.scrub();
    expect((await bytes()).split(piece).length - 1).toBe(0);
    database.close();
  });

  test('asked for while one is on its way, takes what was deleted meanwhile as well', async () => {
    const { database, bytes } = await opened(durable);
    const rows = Array.from({ length: 3_000 }, (_, n): Row => ({ id: n, isSecret: n % 2 === 0, length: 300 }));
    write(database, rows);
    const first = database.scrub();
    await new Promise(setImmediate);
    forget(database);
    await Promise.all([database.scrub(), database.scrub(), first]);
    expect((await bytes()).split(piece).length - 1).toBe(0);
    database.close();
  });

  test('of a database that is closed meanwhile is refused, and the file is sound', async () => {
    const { database } = await opened(durable);
    write(
      database,
      Array.from({ length: 3_000 }, (_, n): Row => ({ id: n, isSecret: n % 2 === 0, length: 300 })),
    );
    forget(database);
    const scrubbing = database.scrub();
    scrubbing.catch(() => undefined);
    await new Promise(setImmediate);
    database.close();
    await expect(scrubbing).rejects.toThrow(DatabaseClosed);
    await expect(database.scrub()).rejects.toThrow(DatabaseClosed);
    const again = await openDatabase(join(folder, `${files}`, 'it.db'), { durable });
    expect([counted(again), isSound(again)]).toEqual([{ n: 1_500 }, 'ok']);
    again.close();
  });
});
