import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bindable, type Database, type Statement, openDatabase } from '@lyceum/sqlite';
import type { Collection, Documents, Query } from '../port.ts';
import { sqliteDocuments } from './sqlite.ts';

const folder = await mkdtemp(join(tmpdir(), 'lyceum-lookup-'));
afterAll(() => rm(folder, { recursive: true }));

/** Fields as those of enrollments, and a set. */
const enrollments: Collection = {
  name: 'enrollments',
  version: 1,
  fields: {
    member_id: 'text',
    course_id: 'text',
    state: 'text',
    groups: 'set',
    created_at: 'text',
    updated_at: 'text',
  },
};

/** What was asked of the engine: the statement, its values. */
type Asked = readonly [text: string, values: readonly Bindable[]];

/** A database that notes the selects that it runs. */
function noting(database: Database, asked: Asked[]): Database {
  const noted = <R>(text: string): Statement<R> => {
    const { run, get, all } = database.prepare<R>(text);
    const note = (values: readonly Bindable[]) => void (text.includes('FROM documents_') && asked.push([text, values]));
    return {
      run,
      get: (...values) => (note(values), get(...values)),
      all: (...values) => (note(values), all(...values)),
    };
  };
  return {
    exec: (sql) => database.exec(sql),
    prepare: noted,
    begin: () => database.begin(),
    commit: () => database.commit(),
    sync: () => database.sync(),
    rollback: () => database.rollback(),
    transaction: (work) => database.transaction(work),
    scrub: () => database.scrub(),
    close: () => database.close(),
  };
}

const time = (index: number): string => new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();

const enrollment = (tenant: string, index: number, members: number) => ({
  tenant,
  id: `enrollment_${String(index).padStart(6, '0')}`,
  body: {
    member_id: `account_${index % members}`,
    course_id: 'course_1',
    state: index % 100 === 0 ? 'lapsed' : 'active',
    groups: index % 50 === 0 ? ['all', 'rare'] : ['all'],
    created_at: time(index),
    updated_at: time(index),
  },
});

/** As the staff's page of students and the members' own page ask. */
const ofStudents: Query = {
  where: [
    { field: 'member_id', in: ['account_1', 'account_2'] },
    { field: 'state', in: ['active', 'lapsed'] },
  ],
  sort: { field: 'created_at' },
  limit: 200,
};
const ofMember: Query = {
  where: [
    { field: 'member_id', is: 'account_1' },
    { field: 'state', in: ['active', 'lapsed', 'none'] },
  ],
  sort: { field: 'created_at', descending: true },
  limit: 20,
};

describe('the index that a query goes by', () => {
  let database: Database;
  let documents: Documents;
  let asked: Asked[];
  let written: number;
  let file: string;
  const start = async () => {
    documents = await sqliteDocuments({
      file,
      open: async (path) => noting((database = await openDatabase(path, { durable: false })), asked),
    });
    await documents.open(enrollments);
  };
  beforeEach(async () => {
    [asked, written] = [[], 0];
    file = join(folder, `${randomUUID()}.db`);
    await start();
  });
  afterEach(() => documents.close());

  const write = async (writes: readonly ReturnType<typeof enrollment>[]) => {
    await documents.apply(enrollments, 'log', 0, written, written + 1, writes);
    written += 1;
  };
  /** One large school among many small ones. */
  const grow = async () => {
    const small = Array.from({ length: 300 }, (_, school) =>
      Array.from({ length: 5 }, (_each, index) => enrollment(`school_${school}`, index, 2)),
    );
    await write(small.flat());
    for (let from = 0; from < 6_000; from += 2_000)
      await write(Array.from({ length: 2_000 }, (_, index) => enrollment('large', from + index, 1_000)));
  };
  /** The plans of the selects that give the page; the counts before them go by the entries of one index. */
  const plansOf = async (query: Query, tenant = 'large') => {
    asked.length = 0;
    const { items } = await documents.query(enrollments, tenant, query);
    // What is explained keeps the engine's lock for as long as the process has the file.
    const explained = asked.map(([text, values]) => ({
      isCount: text.startsWith('SELECT count(*)'),
      steps: database
        .prepare<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
        .all(...values)
        .map(({ detail }) => detail),
    }));
    for (const { steps } of explained.filter(({ isCount }) => isCount))
      expect(steps.filter((step) => step.startsWith('SEARCH documents_'))).toEqual([
        expect.stringMatching(/^SEARCH documents_1 USING COVERING INDEX \w+ \(tenant=\?( AND \S+)?\)$/),
      ]);
    return { items, plans: explained.filter(({ isCount }) => !isCount).map(({ steps }) => steps.join('; ')) };
  };
  const byMember = /^SEARCH documents USING INDEX documents_1_member_id \(tenant=\? AND f_member_id=\?\)/;
  const byTime = /^SEARCH documents USING INDEX documents_1_created_at \(tenant=\?/;
  const isSorted = 'USE TEMP B-TREE FOR ORDER BY';

  test.each([
    ['the enrollments of some members', ofStudents, 12],
    ['the enrollments of one member', ofMember, 6],
  ])('%s are looked up by member: before a school has grown large, and after', async (_, query, found) => {
    const expectByMember = async (tenant: string, count: number) => {
      const { items, plans } = await plansOf(query, tenant);
      expect(items).toHaveLength(count);
      expect(plans.length).toBeGreaterThan(0);
      for (const plan of plans) expect(plan).toMatch(byMember);
    };
    await expectByMember('large', 0);
    await grow();
    await expectByMember('large', found);
    await expectByMember('school_7', 2);
  });

  test('they are so when the file of a large school is opened', async () => {
    await grow();
    await documents.close();
    await start();
    for (const query of [ofStudents, ofMember])
      for (const plan of (await plansOf(query)).plans) expect(plan).toMatch(byMember);
  });

  test('what most documents have is no way to them: a page of many is read in its order, and not sorted', async () => {
    await grow();
    const sort = { field: 'created_at', descending: true };
    const all: readonly Query[] = [
      { where: [{ field: 'state', is: 'active' }], sort, limit: 20 },
      { where: [{ field: 'state', in: ['active', 'lapsed'] }], sort, limit: 20 },
      { where: [{ field: 'course_id', is: 'course_1' }], sort, limit: 20 },
      { where: [{ field: 'groups', has: 'all' }], sort, limit: 20 },
      { where: [{ field: 'updated_at', above: time(10) }], sort, limit: 20 },
    ];
    for (const query of all) {
      const { items, plans } = await plansOf(query);
      expect([query, items.length, plans]).toEqual([query, 20, [expect.stringMatching(byTime)]]);
      expect(plans.join()).not.toContain(isSorted);
    }
  });

  test('nor are they in a school of some hundred, where they are few, but most', async () => {
    await write(Array.from({ length: 500 }, (_, index) => enrollment('middling', index, 100)));
    const sort = { field: 'created_at', descending: true };
    const { items, plans } = await plansOf({ where: [{ field: 'state', is: 'active' }], sort, limit: 20 }, 'middling');
    expect([items.length, plans]).toEqual([20, [expect.stringMatching(byTime)]]);
    expect((await plansOf({ where: [{ field: 'state', is: 'lapsed' }], sort, limit: 1 }, 'middling')).plans).toEqual([
      expect.stringContaining('documents_1_state'),
    ]);
  });

  test('of several conditions the one with the fewest documents counts; a member of a set and a range may be it', async () => {
    await grow();
    const sort = { field: 'created_at', descending: true };
    const indexOf = async (where: Query['where'], more: Partial<Query> = {}) => {
      const { plans, items } = await plansOf({ where, sort, limit: 20, ...more } as Query);
      expect(items.length).toBeGreaterThan(0);
      return [...new Set(plans.map((plan) => /USING INDEX (\w+)/.exec(plan)?.[1]))].join();
    };
    const [rare, lapsed] = [{ field: 'groups', has: 'rare' } as const, { field: 'state', is: 'lapsed' } as const];
    expect(await indexOf([rare])).toBe('sqlite_autoindex_documents_1_1');
    expect(await indexOf([lapsed])).toBe('documents_1_state');
    expect(await indexOf([rare, lapsed])).toBe('documents_1_state');
    expect(await indexOf([lapsed, { field: 'member_id', is: 'account_0' }])).toBe('documents_1_member_id');
    expect(await indexOf([{ field: 'updated_at', above: time(5_500) }])).toBe('documents_1_updated_at');
    const id = enrollment('large', 5, 1_000).id;
    expect(await indexOf([{ field: 'id', in: [id] }])).toBe('sqlite_autoindex_documents_1_1');
  });

  test('in the order of their ids, documents of one value are read as they stand in its index', async () => {
    await grow();
    for (const is of ['active', 'lapsed']) {
      const { plans, items } = await plansOf({ where: [{ field: 'state', is }], limit: 20 });
      expect(items).toHaveLength(20);
      expect(plans).toEqual(['SEARCH documents USING INDEX documents_1_state (tenant=? AND f_state=?)']);
    }
    const named = { field: 'id', in: [enrollment('large', 5, 1_000).id] };
    const { plans, items } = await plansOf({ where: [{ field: 'state', is: 'active' }, named], limit: 20 });
    expect([items.length, plans.join()]).toEqual([1, expect.stringContaining('1_1 (tenant=? AND id=?)')]);
  });
});
