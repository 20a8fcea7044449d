import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@lyceum/sqlite';
import type { Query } from '../port.ts';
import { expected, shelf, shelfCondition, shelfContent, shelfSort } from '../testing/sample-collection.ts';
import { selectsOf } from './query.ts';
import { createCatalogue, createTables } from './schema.ts';
import { Writer, prepareWrite } from './write.ts';

const folder = await mkdtemp(join(tmpdir(), 'lyceum-query-'));
afterAll(() => rm(folder, { recursive: true }));

test('a page is the same by whichever condition its documents are looked up, and in its order', async () => {
  const database = await openDatabase(join(folder, 'same.db'), { durable: false });
  createCatalogue(database);
  const query = fc.record({ where: fc.array(shelfCondition, { maxLength: 3 }), sort: shelfSort });
  fc.assert(
    fc.property(shelfContent, query, fc.boolean(), (all, { where, sort }, isLater) => {
      const collection = shelf();
      const tables = createTables(database, collection);
      const writes = all.map((found) => prepareWrite(collection, { tenant: 'a', ...found }));
      database.transaction(() => new Writer(database, collection, tables).write(writes));
      const whole = expected(all, where, sort).map(({ id }) => id);
      const [first] = isLater ? expected(all, where, sort) : [];
      const value = (sort?.field === 'id' ? first?.id : first?.body[sort?.field ?? '']) ?? null;
      const after = first && { after: { value: value as string | number | null, id: first.id } };
      const asked: Query = { where, limit: 200, ...(sort && { sort }), ...after };
      const isLookup = (each: (typeof where)[number]) =>
        !('contains' in each) && !('in' in each && each.in.includes(null));
      for (const lookup of [undefined, ...where.filter(isLookup)]) {
        const rows = selectsOf(collection, tables, 'a', asked, lookup).flatMap(({ text, values }) =>
          database.prepare<{ id: string }>(text).all(...values, 200),
        );
        expect(rows.map(({ id }) => id)).toEqual(isLater ? whole.slice(1) : whole);
      }
      database.exec(`DROP TABLE ${tables.documents}; DROP TABLE ${tables.sets};`);
    }),
    { numRuns: 300, interruptAfterTimeLimit: 4_000 },
  );
  database.close();
});
