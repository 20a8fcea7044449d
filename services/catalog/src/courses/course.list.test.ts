import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { type Catalog, type Sent, startCatalog } from '../testing.ts';
import { courseItem } from './course.schema.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.close());

const list = (query = '', sent: Sent = {}) => catalog.call('GET', `/api/courses${query}`, sent);
const titles = async (query = '', sent: Sent = {}): Promise<string[]> => {
  const got = await list(query, sent);
  if (got.status !== 200) throw new Error(`${got.status} ${JSON.stringify(got.body)}`);
  return got.body.data.map((course: { title: string }) => course.title);
};

async function publish(body: object, sent: Sent = {}) {
  catalog.clock.advance(1000);
  const course = await catalog.create({ lecturer_ids: ['lecturer_1'], ...body }, sent);
  await catalog.call('POST', `/api/courses/${course.id}/publish`, sent);
  return course;
}

/** All titles, page by page. */
async function crawl(query: string, sent: Sent = {}, between: () => Promise<unknown> = async () => {}) {
  const seen: string[] = [];
  let cursor = '';
  for (;;) {
    const { body } = await list(`${query}${cursor && `&cursor=${cursor}`}`, sent);
    seen.push(...body.data.map((course: { title: string }) => course.title));
    if (!body.has_more) return seen;
    cursor = body.next_cursor;
    await between();
    await catalog.settled();
  }
}

describe('what a list holds', () => {
  const lecturer: TokenClaims = { role: 'lecturer', subject: 'acc_lists' };
  const inSchool2: Sent = { school: 'school_2' };

  beforeAll(async () => {
    await publish({ title: 'Public' }, inSchool2);
    await publish({ title: 'Unlisted', listing: 'unlisted', internal_note: 'secret note' }, inSchool2);
    await catalog.create({ title: 'Draft' }, inSchool2);
    await catalog.create({ title: 'Own draft', lecturer_ids: ['lecturer_lists'] }, inSchool2);
    await publish({ title: 'Own public', lecturer_ids: ['lecturer_lists'], description: 'long' }, inSchool2);
    const gone = await catalog.create({ title: 'Deleted' }, inSchool2);
    await catalog.call('DELETE', `/api/courses/${gone.id}`, inSchool2);
    await catalog.settled();
  });

  test('for the public and for members: what is published and listed', async () => {
    for (const as of ['anonymous', { role: 'member' }] as const)
      expect(await titles('', { ...inSchool2, as })).toEqual(['Own public', 'Public']);
  });

  test('for a lecturer: that and the own ones, each once', async () => {
    const as = lecturer;
    expect((await titles('', { ...inSchool2, as })).toSorted()).toEqual(['Own draft', 'Own public', 'Public']);
  });

  test('archived ones only when they are asked for', async () => {
    const category = 'retiring';
    const draft = await catalog.create({ title: 'Draft', category });
    const { id } = await publish({ title: 'Retired', category });
    expect((await catalog.call('POST', `/api/courses/${id}/archive`)).status).toBe(200);
    await catalog.settled();
    expect(await titles(`?category=${category}`)).toEqual(['Draft']);
    expect(await titles(`?ids=${id}`)).toEqual([]);
    expect(await titles(`?category=${category}&status=archived`)).toEqual(['Retired']);
    expect(await titles(`?category=${category}&status=archived`, { as: 'anonymous' })).toEqual([]);
    await catalog.call('DELETE', `/api/courses/${draft.id}`);
  });

  test('for staff: everything that exists', async () => {
    const all = ['Draft', 'Own draft', 'Own public', 'Public', 'Unlisted'];
    for (const role of ['owner', 'admin'] as const)
      expect((await titles('', { ...inSchool2, as: { role } })).toSorted()).toEqual(all);
  });

  test('a row has exactly the fields of its view, and no description', async () => {
    const sees = (view: string) =>
      Object.entries(courseItem.shape)
        .filter(([, field]) => view === 'staff' || field.meta()?.['sees'] !== 'staff')
        .map(([name]) => name)
        .toSorted();
    const { body } = await list('', { ...inSchool2, as: lecturer });
    const views = body.data.map((row: { title: string; view: string }) => [row.title, row.view]);
    expect(Object.fromEntries(views)).toEqual({ Public: 'member', 'Own public': 'staff', 'Own draft': 'staff' });
    for (const row of body.data) expect(Object.keys(row).toSorted()).toEqual(sees(row.view));
    const anonymous = await list('', { ...inSchool2, as: 'anonymous' });
    expect(anonymous.body).toMatchObject({ object: 'list', view: 'anonymous', has_more: false, next_cursor: null });
    for (const row of anonymous.body.data) expect(Object.keys(row).toSorted()).toEqual(sees('anonymous'));
  });

  test('a filter never shows the public more', async () => {
    const as = 'anonymous';
    expect(await titles('?status=draft', { ...inSchool2, as })).toEqual([]);
    expect(await titles('?q=unlisted', { ...inSchool2, as })).toEqual([]);
    const staff = await list('', inSchool2);
    const ids = staff.body.data.map((course: { id: string }) => course.id).join(',');
    expect(await titles(`?ids=${ids}`, { ...inSchool2, as })).toEqual(['Own public', 'Public']);
  });

  test('nothing of another school', async () => expect(await titles()).not.toContain('Public'));

  test('a row of the list is the item without its description', async () => {
    const { body } = await list('?q=own%20public', inSchool2);
    const item = await catalog.call('GET', `/api/courses/${body.data[0].id}`, inSchool2);
    const { description, ...rest } = item.body;
    expect(description).toHaveLength(1);
    expect(body.data[0]).toEqual(rest);
  });
});

describe('filters and order', () => {
  let paper: { id: string; created_at: string };
  let wood: { id: string; created_at: string; updated_at: string };

  beforeAll(async () => {
    paper = await publish({
      title: 'Paper',
      tags: ['fold'],
      category: 'craft',
      access: 'open',
      summary: 'Ünïcode lights',
    });
    wood = await publish({ title: 'Wood', tags: ['carve', 'fold'], category: 'Craft', lecturer_ids: ['lecturer_2'] });
    await catalog.create({ title: 'Draft of glass', access: 'paid' });
    await catalog.settled();
  });

  test.each([
    ['status=draft', ['Draft of glass']],
    ['status=published', ['Wood', 'Paper']],
    ['access=open', ['Paper']],
    ['category=craft', ['Paper']],
    ['tag=fold', ['Wood', 'Paper']],
    ['tag=carve', ['Wood']],
    ['tag=fol', []],
    ['lecturer_id=lecturer_2', ['Wood']],
    ['q=GLASS', ['Draft of glass']],
    ['q=%C3%9CN%C3%8FCODE', ['Paper']],
    ['q=%25', []],
    ['tag=fold&access=open', ['Paper']],
    ['sort=created_at', ['Paper', 'Wood', 'Draft of glass']],
    ['sort=-created_at', ['Draft of glass', 'Wood', 'Paper']],
  ])('%s', async (query, expected) => expect((await titles(`?${query}`)).toSorted()).toEqual(expected.toSorted()));

  test('sort orders by creation, newest first by default', async () => {
    expect((await titles()).indexOf('Wood')).toBeLessThan((await titles()).indexOf('Paper'));
    const ascending = await titles('?sort=created_at');
    expect(ascending.indexOf('Paper')).toBeLessThan(ascending.indexOf('Wood'));
  });

  test('created_after and created_before exclude their bound', async () => {
    expect(await titles(`?created_after=${paper.created_at}`)).not.toContain('Paper');
    expect(await titles(`?created_after=${paper.created_at}`)).toContain('Wood');
    expect(await titles(`?created_before=${wood.created_at}`)).toEqual(['Paper']);
  });

  test('updated_after finds what was changed since', async () => {
    catalog.clock.advance(60_000);
    const since = new Date(catalog.clock.now()).toISOString();
    catalog.clock.advance(1000);
    await catalog.call('PATCH', `/api/courses/${paper.id}`, { body: { subtitle: 'new' } });
    await catalog.settled();
    expect(await titles(`?updated_after=${since}`)).toEqual(['Paper']);
  });

  test('ids gives exactly these', async () => {
    expect(await titles(`?ids=${wood.id},${paper.id}&sort=created_at`)).toEqual(['Paper', 'Wood']);
  });

  test.each([
    'status=x',
    'access=x',
    'sort=title',
    'limit=0',
    'limit=101',
    'limit=x',
    'created_after=yesterday',
    'lecturer_id=a%20b',
    'ids=',
    'q=',
    `q=${'x'.repeat(101)}`,
  ])('%s is 422 and names the parameter', async (query) => {
    const got = await list(`?${query}`);
    expect(got).toMatchObject({ status: 422, body: { error: 'validation_failed' } });
    expect(got.body.details[0].path.split('.')[0]).toBe(query.split('=')[0]);
  });

  test('an unknown parameter is 400', async () => expect((await list('?stats=draft')).status).toBe(400));
});

describe('paging', () => {
  test('gives every course once while courses are added', async () => {
    const wanted = Array.from({ length: 7 }, (_, index) => `Paged ${index}`);
    for (const title of wanted) await publish({ title, category: 'paged' });
    await catalog.settled();
    let added = 0;
    const add = () => publish({ title: `Added ${(added += 1)}`, category: 'paged' });
    const newestFirst = await crawl('?category=paged&limit=2', {}, add);
    expect(newestFirst).toEqual([...wanted].reverse());
    const oldestFirst = await crawl('?category=paged&limit=3&sort=created_at');
    expect(oldestFirst).toEqual([...wanted, 'Added 1', 'Added 2', 'Added 3']);
  });

  test('merges a lecturer’s own courses into the listed ones without loss or repetition', async () => {
    const as: TokenClaims = { role: 'lecturer', subject: 'acc_pager' };
    for (let index = 0; index < 9; index += 1) {
      const body = {
        title: `Mixed ${index}`,
        category: 'mixed',
        lecturer_ids: index % 2 ? ['lecturer_pager'] : ['lecturer_1'],
      };
      catalog.clock.advance(1000);
      await (index % 3 === 0 ? catalog.create(body) : publish(body));
    }
    await catalog.settled();
    const all = await titles('?category=mixed&limit=100&sort=created_at', { as });
    expect(all).toEqual(['Mixed 1', 'Mixed 2', 'Mixed 3', 'Mixed 4', 'Mixed 5', 'Mixed 7', 'Mixed 8']);
    for (const limit of [1, 2, 3, 6, 7])
      expect(await crawl(`?category=mixed&limit=${limit}&sort=created_at`, { as })).toEqual(all);
  });

  test('courses created in the same millisecond are paged by id', async () => {
    for (let index = 0; index < 5; index += 1) await catalog.create({ title: `Same ${index}`, category: 'same' });
    await catalog.settled();
    expect((await crawl('?category=same&limit=1')).toSorted()).toEqual([
      'Same 0',
      'Same 1',
      'Same 2',
      'Same 3',
      'Same 4',
    ]);
  });

  test('a cursor of other filters is 400', async () => {
    const { body } = await list('?category=paged&limit=1');
    const got = await list(`?category=mixed&limit=1&cursor=${body.next_cursor}`);
    expect(got).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });
});

describe('how fresh a list is', () => {
  test('a list says how far it has come, and waits for a write that is named', async () => {
    const made = await catalog.call('POST', '/api/courses', { body: { title: 'Fresh', category: 'fresh' } });
    const token = made.headers.get('consistency-token')!;
    const headers = { 'consistency-token': token, prefer: 'wait=5' };
    const got = await list('?category=fresh', { headers });
    expect(got.body.data).toHaveLength(1);
    expect(got.headers.get('preference-applied')).toBe('wait=5');
    expect(got.headers.get('consistency-token')).toBe(token);
  });
});
