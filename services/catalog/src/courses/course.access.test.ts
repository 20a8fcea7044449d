import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { type Catalog, type Got, startCatalog } from '../testing.ts';
import { courseReply } from './course.schema.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.close());

const staffFields = Object.entries(courseReply.shape)
  .filter(([, field]) => field.meta()?.['sees'] === 'staff')
  .map(([name]) => name);

const member: TokenClaims = { role: 'member', subject: 'acc_member', scopes: ['courses:read'] };
const admin: TokenClaims = { role: 'admin', subject: 'acc_admin' };
const lecturer: TokenClaims = { role: 'lecturer', subject: 'acc_lecturer' };
const other: TokenClaims = { role: 'lecturer', subject: 'acc_other' };
const readers: readonly [string, TokenClaims | 'anonymous'][] = [
  ['anonymous', 'anonymous'],
  ['a member', member],
  ['another lecturer', other],
];

const note = { internal_note: 'cut the price in May', seat_limit: 5 };
let names = 0;
async function course(state: 'draft' | 'published' | 'unlisted' | 'unpublished' | 'archived') {
  names += 1;
  const listing = state === 'unlisted' ? 'unlisted' : 'listed';
  const made = await catalog.create({
    title: `Course ${names}`,
    lecturer_ids: ['lecturer_lecturer'],
    listing,
    ...note,
  });
  if (state !== 'draft') await catalog.call('POST', `/api/courses/${made.id}/publish`);
  if (state === 'unpublished') await catalog.call('POST', `/api/courses/${made.id}/unpublish`);
  if (state === 'archived') await catalog.call('POST', `/api/courses/${made.id}/archive`);
  return made;
}
const read = (ref: string, as: TokenClaims | 'anonymous') => catalog.call('GET', `/api/courses/${ref}`, { as });
const staffFieldsIn = (body: Got['body']) => staffFields.filter((name) => name in body);

describe('who sees what', () => {
  test('the schema marks what only staff see', () =>
    expect(staffFields.toSorted()).toEqual([
      'internal_note',
      'listing',
      'seat_limit',
      'seats_taken',
      'stats',
      'status',
    ]));

  test.each(readers)('%s sees a public course without the staff fields', async (_, as) => {
    const { id, slug } = await course('published');
    for (const ref of [id, slug]) {
      const got = await read(ref, as);
      expect(got.status).toBe(200);
      expect(staffFieldsIn(got.body)).toEqual([]);
      expect(got.body.seats).toBe('available');
      expect(JSON.stringify(got.body)).not.toContain(note.internal_note);
    }
  });

  test.each([
    ['the owner', {}],
    ['an admin', admin],
    ['its lecturer', lecturer],
  ] as [string, TokenClaims][])('%s sees all of it, whatever its state', async (_, as) => {
    for (const state of ['draft', 'published', 'unlisted', 'unpublished', 'archived'] as const) {
      const got = await read((await course(state)).id, as);
      expect(staffFieldsIn(got.body).toSorted()).toEqual(staffFields.toSorted());
      expect(got.body).toMatchObject({ view: 'staff', ...note });
    }
  });

  test('every answer says which view it is', async () => {
    const { id } = await course('published');
    expect((await read(id, 'anonymous')).body.view).toBe('anonymous');
    expect((await read(id, member)).body.view).toBe('member');
    expect((await read(id, other)).body.view).toBe('member');
    expect((await read(id, lecturer)).body.view).toBe('staff');
    expect((await read(id, admin)).body.view).toBe('staff');
  });

  test.each(readers)('%s gets 404 for what is not public, by id and by slug', async (_, as) => {
    for (const state of ['draft', 'unpublished', 'archived'] as const) {
      const { id, slug } = await course(state);
      for (const ref of [id, slug])
        expect(await read(ref, as)).toMatchObject({ status: 404, body: { error: 'not_found' } });
    }
  });

  test.each(readers)('%s finds an unlisted course by slug only', async (_, as) => {
    const { id, slug } = await course('unlisted');
    expect((await read(id, as)).status).toBe(404);
    expect((await read(slug, as)).body.id).toBe(id);
  });

  test('a course that does not exist is 404, whoever asks and however it is named', async () => {
    for (const ref of [
      'course_00000000-0000-7000-8000-00000000ffff',
      'no-such-course',
      'No%20Name',
      'unique%2Fcourse_slug%2Fx',
    ])
      expect((await read(ref, {})).status).toBe(404);
  });
});

describe('who may write', () => {
  const writes: readonly [string, string, string, object | undefined][] = [
    ['create', 'POST', '', { title: 'x' }],
    ['change', 'PATCH', '/{id}', { title: 'x' }],
    ['publish', 'POST', '/{id}/publish', undefined],
    ['unpublish', 'POST', '/{id}/unpublish', undefined],
    ['archive', 'POST', '/{id}/archive', undefined],
    ['duplicate', 'POST', '/{id}/duplicate', undefined],
    ['delete', 'DELETE', '/{id}', undefined],
  ];
  const send = (method: string, path: string, id: string, as: TokenClaims | 'anonymous', body?: object) =>
    catalog.call(method, `/api/courses${path.replace('{id}', id)}`, { as, ...(body ? { body } : {}) });

  test.each(writes)('without a token, %s is 403 access_denied without a challenge', async (_, method, path, body) => {
    const { id } = await course('published');
    const got = await send(method, path, id, 'anonymous', body);
    expect(got).toMatchObject({ status: 403, body: { error: 'access_denied' } });
    expect(got.headers.get('www-authenticate')).toBeNull();
  });

  test.each(writes)('a member may not %s', async (_, method, path, body) => {
    const { id } = await course('published');
    const got = await send(method, path, id, { ...member, scopes: ['courses:write'] }, body);
    expect(got).toMatchObject({ status: 403, body: { error: 'access_denied' } });
  });

  test.each(writes)('without courses:write, %s is 403 insufficient_scope', async (_, method, path, body) => {
    const { id } = await course('published');
    const got = await send(method, path, id, { scopes: ['courses:read'] }, body);
    expect(got).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } });
    expect(got.headers.get('www-authenticate')).toContain('insufficient_scope');
  });

  test.each(writes.slice(1))(
    'another lecturer may not %s: 403 if it is public, 404 if not',
    async (_, method, path, body) => {
      const shown = await course('published');
      const hidden = await course('draft');
      expect(await send(method, path, shown.id, other, body)).toMatchObject({
        status: 403,
        body: { error: 'access_denied' },
      });
      expect(await send(method, path, hidden.id, other, body)).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      });
    },
  );

  test('an assigned lecturer may write, and so may the one who created it', async () => {
    const assigned = await course('draft');
    expect((await send('PATCH', '/{id}', assigned.id, lecturer, { subtitle: 'mine' })).status).toBe(200);
    const created = await catalog.create({ title: 'By other', lecturer_ids: ['lecturer_3'] }, { as: other });
    expect((await send('PATCH', '/{id}', created.id, other, { subtitle: 'mine' })).status).toBe(200);
    expect((await send('PATCH', '/{id}', created.id, lecturer, { subtitle: 'mine' })).status).toBe(404);
  });

  test('a wrong If-Match does not tell another lecturer that a draft exists', async () => {
    const { id } = await course('draft');
    const headers = { 'if-match': '"99"' };
    const got = await catalog.call('PATCH', `/api/courses/${id}`, { as: other, body: { title: 'x' }, headers });
    expect(got.status).toBe(404);
  });

  test('a refused write changes nothing', async () => {
    const { id } = await course('published');
    const before = (await read(id, {})).body;
    for (const [, method, path, body] of writes) {
      await send(method, path, id, 'anonymous', body);
      await send(method, path, id, { ...member, scopes: ['courses:write'] }, body);
      if (path !== '') await send(method, path, id, other, body);
    }
    expect((await read(id, {})).body).toEqual(before);
  });
});

describe('who sees what publishing needs', () => {
  test('those who may change the course; to all others there is nothing', async () => {
    const { id } = await course('published');
    const at = `/api/courses/${id}/readiness`;
    for (const as of [{}, admin, lecturer]) expect((await catalog.call('GET', at, { as })).status).toBe(200);
    for (const [, as] of readers) expect((await catalog.call('GET', at, { as })).status).toBe(404);
  });
});

test('other services learn which courses a lecturer may change, drafts too, and of nobody else’s', async () => {
  const [draft, open] = [await course('draft'), await course('published')];
  const foreign = await catalog.create({ title: 'Of others', lecturer_ids: ['lecturer_3'] }, { as: admin });
  await catalog.settled();
  const coursesOf = (member: string, school = 'school_1') =>
    catalog.started.answer?.({ kind: 'courses-of-lecturer', school, member });
  const own = expect.arrayContaining([draft.id, open.id]);
  expect(await coursesOf('acc_lecturer')).toEqual({ courses: own });
  expect(await coursesOf('acc_lecturer')).not.toEqual({ courses: expect.arrayContaining([foreign.id]) });
  expect(await coursesOf('acc_nobody')).toEqual({ courses: [] });
  expect(await coursesOf('acc_lecturer', 'school_2')).toEqual({ courses: [] });
});

test('other services learn whether a course earns a certificate, as of now', async () => {
  const { id } = await catalog.create({ title: 'Certified', certificate: true });
  const asked = (course: string, school = 'school_1') =>
    catalog.started.answer?.({ kind: 'certificate-of-course', school, course });
  expect(await asked(id)).toEqual({ certificate: true, title: 'Certified' });
  await catalog.call('PATCH', `/api/courses/${id}`, { body: { certificate: false, title: 'Not any more' } });
  expect(await asked(id)).toEqual({ certificate: false, title: 'Not any more' });
  expect([await asked(id, 'school_2'), await asked('course_none')]).toEqual([null, null]);
});

test('other services learn which lecturers and courses there are to be named: active ones, drafts too, of this school', async () => {
  const { id } = await course('draft');
  const lecturer = await catalog.call('POST', '/api/lecturers', { body: { display_name: 'Named' } });
  const lecturers = [lecturer.body.id, 'lecturer_none', 'course_none'];
  const asked = (course: string | null, school = 'school_1') =>
    catalog.started.answer?.({ kind: 'nameable', school, lecturers, course });
  expect(await asked(id)).toEqual({ lecturers: [lecturer.body.id], course: true });
  expect(await asked(null)).toEqual({ lecturers: [lecturer.body.id], course: false });
  for (const none of ['course_none', 'no course', lecturer.body.id])
    expect(await asked(none)).toMatchObject({ course: false });
  expect(await asked(id, 'school_2')).toEqual({ lecturers: [], course: false });
  await catalog.call('POST', `/api/lecturers/${lecturer.body.id}/archive`);
  expect(await asked((await course('archived')).id)).toEqual({ lecturers: [], course: false });
});
