import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Catalog, startCatalog } from '../testing.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.close());

const ready = { summary: 'How to make them', lecturer_ids: ['lecturer_1'] };

describe('creating', () => {
  test('answers 201 with the course, its address and its version', async () => {
    const body = {
      title: '  Paper lanterns from scratch ',
      subtitle: 'Light',
      prices: [{ amount: 4900 }],
      tags: ['paper', 'light', 'paper'],
      language: 'PT-pt',
      enrollment_opens_at: '2026-03-01T10:00:00+01:00',
      description: 'One\n\nTwo',
      seat_limit: 3,
    };
    const got = await catalog.call('POST', '/api/courses', { body });
    expect(got.status).toBe(201);
    expect(got.body).toMatchObject({
      object: 'course',
      view: 'staff',
      title: 'Paper lanterns from scratch',
      slug: 'paper-lanterns-from-scratch',
      access: 'paid',
      prices: [{ amount: 4900, currency: 'USD' }],
      tags: ['paper', 'light'],
      language: 'pt-PT',
      enrollment_opens_at: '2026-03-01T09:00:00.000Z',
      status: 'draft',
      listing: 'listed',
      seat_limit: 3,
      seats: 'available',
      lesson_count: 0,
      published_at: null,
      created_at: '2026-01-05T08:00:00.000Z',
      version: 3,
    });
    expect(got.body.description).toHaveLength(2);
    expect(got.headers.get('location')).toBe(`/api/courses/${got.body.id}`);
    expect(got.headers.get('etag')).toBe('"3"');
    const read = await catalog.call('GET', `/api/courses/${got.body.id}`);
    expect(read.body).toEqual(got.body);
    expect(read.headers.get('etag')).toBe('"3"');
  });

  test('derives another slug when the derived one is taken, but never a stated one', async () => {
    const first = await catalog.create({ title: 'Kites' });
    const second = await catalog.create({ title: 'Kites' });
    expect(first.slug).toBe('kites');
    expect(second.slug).toMatch(/^kites-[0-9a-f]{6}$/);
    const third = await catalog.call('POST', '/api/courses', { body: { title: 'x', slug: 'kites' } });
    expect(third).toMatchObject({ status: 409, body: { error: 'slug_taken' } });
  });

  test('of 20 parallel creates with one slug exactly one is accepted', async () => {
    const tries = Array.from({ length: 20 }, () =>
      catalog.call('POST', '/api/courses', { body: { title: 'Race', slug: 'the-race' } }),
    );
    const statuses = (await Promise.all(tries)).map((got) => got.status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
  });

  test('of 20 parallel creates with one title all are accepted, each with its own slug', async () => {
    const tries = Array.from({ length: 20 }, () => catalog.create({ title: 'Crowd' }));
    expect(new Set((await Promise.all(tries)).map((course) => course.slug)).size).toBe(20);
  });

  test('gives a Japanese title a slug', async () => {
    const course = await catalog.create({ title: '紙の提灯' });
    expect(course).toMatchObject({ title: '紙の提灯', slug: expect.stringMatching(/^course-[0-9a-f]{6}$/) });
  });

  test('makes a lecturer the lecturer, unless lecturers are named', async () => {
    const as = { role: 'lecturer', subject: 'acc_lecturer' } as const;
    expect((await catalog.create({ title: 'Mine' }, { as })).lecturer_ids).toEqual(['lecturer_lecturer']);
    expect((await catalog.create({ title: 'Theirs', lecturer_ids: [] }, { as })).lecturer_ids).toEqual([]);
    expect((await catalog.create({ title: 'Owned' })).lecturer_ids).toEqual([]);
  });
});

describe('Idempotency-Key', () => {
  const key = (name: string) => ({ 'idempotency-key': name });

  test('a repeat answers with the course of the first time and creates nothing', async () => {
    const send = () => catalog.call('POST', '/api/courses', { body: { title: 'Once' }, headers: key('once') });
    const first = await send();
    const again = await send();
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
  });

  test('a repeat after later changes still answers with the course as it was', async () => {
    const send = () => catalog.call('POST', '/api/courses', { body: { title: 'Then' }, headers: key('then') });
    const first = await send();
    await catalog.call('PATCH', `/api/courses/${first.body.id}`, { body: { title: 'Now' } });
    expect((await send()).body).toEqual(first.body);
  });

  test('with another body is 422 idempotency_key_reused', async () => {
    await catalog.call('POST', '/api/courses', { body: { title: 'This' }, headers: key('other') });
    const other = await catalog.call('POST', '/api/courses', { body: { title: 'That' }, headers: key('other') });
    expect(other).toMatchObject({ status: 422, body: { error: 'idempotency_key_reused' } });
  });

  test('of another person is another key', async () => {
    const send = (subject: string) =>
      catalog.call('POST', '/api/courses', { as: { subject }, body: { title: 'Shared' }, headers: key('shared') });
    expect((await send('acc_1')).body.id).not.toBe((await send('acc_2')).body.id);
  });

  test('makes duplicating and publishing safe to repeat', async () => {
    const course = await catalog.create({ title: 'Twice', ...ready });
    const send = (what: string) => catalog.call('POST', `/api/courses/${course.id}/${what}`, { headers: key(what) });
    expect((await send('duplicate')).body.id).toBe((await send('duplicate')).body.id);
    expect((await send('publish')).body).toEqual((await send('publish')).body);
  });
});

describe('changing', () => {
  test('RFC 7396: null clears, a list replaces, what is left out stays', async () => {
    const course = await catalog.create({
      title: 'Patch',
      subtitle: 'x',
      tags: ['a', 'b'],
      certificate: true,
      category: 'c',
    });
    const got = await catalog.call('PATCH', `/api/courses/${course.id}`, {
      body: { subtitle: null, tags: ['b'], certificate: null },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(got.status).toBe(200);
    expect(got.body).toMatchObject({ title: 'Patch', subtitle: null, tags: ['b'], certificate: false, category: 'c' });
  });

  test('a patch that changes nothing leaves the version', async () => {
    const course = await catalog.create({ title: 'Still', prices: [{ amount: 1 }] });
    const got = await catalog.call('PATCH', `/api/courses/${course.id}`, {
      body: { title: 'Still', prices: course.prices },
    });
    expect(got).toMatchObject({ status: 200, body: { version: course.version, updated_at: course.updated_at } });
  });

  test('RFC 9110 §13.1.1: If-Match with an old version is 412 and changes nothing', async () => {
    const course = await catalog.create({ title: 'Matched' });
    const at = `/api/courses/${course.id}`;
    const change = (title: string, etag: string) =>
      catalog.call('PATCH', at, { body: { title }, headers: { 'if-match': etag } });
    expect((await change('First', '"1"')).status).toBe(200);
    expect(await change('Second', '"1"')).toMatchObject({ status: 412, body: { error: 'precondition_failed' } });
    expect((await catalog.call('GET', at)).body.title).toBe('First');
    expect((await change('Third', '*')).status).toBe(200);
  });

  test.each(['publish', 'unpublish', 'archive', 'duplicate'])('If-Match is compared by %s', async (what) => {
    const course = await catalog.create({ title: `If ${what}`, ...ready });
    const got = await catalog.call('POST', `/api/courses/${course.id}/${what}`, { headers: { 'if-match': '"9"' } });
    expect(got.status).toBe(412);
  });

  test('If-Match is compared by DELETE', async () => {
    const course = await catalog.create({ title: 'If delete' });
    const at = `/api/courses/${course.id}`;
    expect((await catalog.call('DELETE', at, { headers: { 'if-match': '"9"' } })).status).toBe(412);
    expect((await catalog.call('DELETE', at, { headers: { 'if-match': '"1"' } })).status).toBe(204);
  });

  test('parallel patches of different fields are all kept', async () => {
    const course = await catalog.create({ title: 'Parallel' });
    const at = `/api/courses/${course.id}`;
    const patches = [{ subtitle: 's' }, { category: 'c' }, { level: 'any' }, { tags: ['t'] }, { access_days: 30 }];
    const got = await Promise.all(patches.map((body) => catalog.call('PATCH', at, { body })));
    expect(got.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await catalog.call('GET', at)).body).toMatchObject(Object.assign({}, ...patches));
  });
});

describe('slugs', () => {
  test('a former slug answers 308 with the address of the present one', async () => {
    const course = await catalog.create({ title: 'Moves', slug: 'first-name', ...ready });
    await catalog.call('POST', `/api/courses/${course.id}/publish`);
    await catalog.call('PATCH', `/api/courses/${course.id}`, { body: { slug: 'second-name' } });
    const old = await catalog.call('GET', '/api/courses/first-name', { as: 'anonymous' });
    expect(old.status).toBe(308);
    expect(old.headers.get('location')).toBe('/api/courses/second-name');
    expect((await catalog.call('GET', '/api/courses/second-name', { as: 'anonymous' })).body.id).toBe(course.id);
    const taken = await catalog.call('POST', '/api/courses', { body: { title: 'x', slug: 'first-name' } });
    expect(taken.body.error).toBe('slug_taken');
  });

  test('S14: a new slug of an unlisted course ends the old secret link; its staff is still sent on', async () => {
    const { id } = await catalog.create({ title: 'Secret', slug: 'secret', listing: 'unlisted', ...ready });
    await catalog.call('POST', `/api/courses/${id}/publish`);
    expect((await catalog.call('GET', '/api/courses/secret', { as: 'anonymous' })).status).toBe(200);
    await catalog.call('PATCH', `/api/courses/${id}`, { body: { slug: 'more-secret' } });
    expect((await catalog.call('GET', '/api/courses/more-secret', { as: 'anonymous' })).status).toBe(200);
    expect((await catalog.call('GET', '/api/courses/secret', { as: 'anonymous' })).status).toBe(404);
    expect((await catalog.call('GET', '/api/courses/secret')).status).toBe(308);
  });

  test('a former slug of a draft tells the public nothing', async () => {
    const course = await catalog.create({ title: 'Hidden', slug: 'hidden-first' });
    await catalog.call('PATCH', `/api/courses/${course.id}`, { body: { slug: 'hidden-second' } });
    expect((await catalog.call('GET', '/api/courses/hidden-first', { as: 'anonymous' })).status).toBe(404);
  });

  test('of a deleted draft are free again', async () => {
    const course = await catalog.create({ title: 'Gone', slug: 'gone-first' });
    await catalog.call('PATCH', `/api/courses/${course.id}`, { body: { slug: 'gone-second' } });
    expect((await catalog.call('DELETE', `/api/courses/${course.id}`)).status).toBe(204);
    expect((await catalog.call('GET', `/api/courses/${course.id}`)).status).toBe(404);
    expect((await catalog.create({ title: 'x', slug: 'gone-first' })).slug).toBe('gone-first');
    expect((await catalog.create({ title: 'x', slug: 'gone-second' })).slug).toBe('gone-second');
  });

  test('are unique within a school only', async () => {
    const here = await catalog.create({ title: 'Same', slug: 'same-slug' });
    const there = await catalog.create({ title: 'Same', slug: 'same-slug' }, { school: 'school_2' });
    expect(there.slug).toBe(here.slug);
    expect((await catalog.call('GET', '/api/courses/same-slug', { school: 'school_2' })).body.id).toBe(there.id);
    expect((await catalog.call('GET', `/api/courses/${here.id}`, { school: 'school_2' })).status).toBe(404);
    expect((await catalog.call('PATCH', `/api/courses/${here.id}`, { school: 'school_2', body: {} })).status).toBe(404);
  });
});

describe('publishing', () => {
  test('is refused with the list that readiness gives, until it is empty', async () => {
    const course = await catalog.create({ title: 'Guarded', access: 'paid' });
    const at = `/api/courses/${course.id}`;
    const refused = await catalog.call('POST', `${at}/publish`);
    const { body: readiness } = await catalog.call('GET', `${at}/readiness`);
    expect(refused).toMatchObject({ status: 409, body: { error: 'not_ready', details: readiness.unmet } });
    expect(readiness).toMatchObject({ ready: false, unmet: [{ code: 'price_missing' }, { code: 'lecturer_missing' }] });
    for (const { path } of readiness.unmet)
      await catalog.call('PATCH', at, { body: path === 'prices' ? { prices: [{ amount: 100 }] } : ready });
    expect((await catalog.call('GET', `${at}/readiness`)).body).toMatchObject({ ready: true, unmet: [] });
    expect((await catalog.call('POST', `${at}/publish`)).body).toMatchObject({
      status: 'published',
      published_at: '2026-01-05T08:00:00.000Z',
    });
  });

  test('then archiving hides it from the public and keeps it for staff', async () => {
    const course = await catalog.create({ title: 'Kept', ...ready });
    const at = `/api/courses/${course.id}`;
    await catalog.call('POST', `${at}/publish`);
    expect((await catalog.call('DELETE', at)).body.error).toBe('invalid_state');
    expect((await catalog.call('POST', `${at}/archive`)).body.status).toBe('archived');
    expect((await catalog.call('GET', at, { as: 'anonymous' })).status).toBe(404);
    expect((await catalog.call('GET', at)).body.status).toBe('archived');
    expect((await catalog.call('PATCH', at, { body: { title: 'x' } })).body.error).toBe('invalid_state');
  });

  test('unpublishing hides it from the public', async () => {
    const course = await catalog.create({ title: 'Withdrawn', ...ready });
    const at = `/api/courses/${course.id}`;
    await catalog.call('POST', `${at}/publish`);
    expect((await catalog.call('GET', at, { as: 'anonymous' })).status).toBe(200);
    expect((await catalog.call('POST', `${at}/unpublish`)).body.status).toBe('unpublished');
    expect((await catalog.call('GET', at, { as: 'anonymous' })).status).toBe(404);
  });
});

describe('duplicating', () => {
  test('makes a draft with the same content under its own slug, id and prices', async () => {
    const course = await catalog.create({
      title: 'Model',
      tags: ['a'],
      prices: [{ amount: 5 }],
      seat_limit: 2,
      ...ready,
    });
    await catalog.call('POST', `/api/courses/${course.id}/publish`);
    const got = await catalog.call('POST', `/api/courses/${course.id}/duplicate`);
    expect(got.status).toBe(201);
    expect(got.body).toMatchObject({ title: 'Model', slug: 'model-copy', status: 'draft', published_at: null });
    const { tags, summary, lecturer_ids, seat_limit, access } = got.body;
    expect({ tags, summary, lecturer_ids, seat_limit, access }).toEqual({
      tags: ['a'],
      ...ready,
      seat_limit: 2,
      access: 'paid',
    });
    expect(got.body.prices).toMatchObject([{ amount: 5, currency: 'USD' }]);
    expect(got.body.prices[0].id).not.toBe(course.prices[0].id);
  });

  test('takes another title and slug', async () => {
    const course = await catalog.create({ title: 'Model two' });
    const at = `/api/courses/${course.id}/duplicate`;
    const body = { title: 'Other', slug: 'other-model' };
    expect((await catalog.call('POST', at, { body })).body).toMatchObject(body);
    expect((await catalog.call('POST', at, { body })).body.error).toBe('slug_taken');
  });
});
