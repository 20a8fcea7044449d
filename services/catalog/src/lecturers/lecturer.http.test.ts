import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@lyceum/testkit';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { disagreements } from '@lyceum/web';
import { type Catalog, type Sent, startCatalog } from '../testing.ts';
import { lecturerStatuses } from './lecturer.http.ts';
import { lecturerReply } from './lecturer.schema.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.close());

const path = '/api/lecturers';
const member: TokenClaims = { role: 'member', subject: 'acc_member', scopes: ['lecturers:read'] };
const lecturer: TokenClaims = { role: 'lecturer', subject: 'acc_ana' };
let names = 0;

async function add(body: object = {}, sent: Sent = {}) {
  names += 1;
  const got = await catalog.call('POST', path, { ...sent, body: { display_name: `Ana Duarte ${names}`, ...body } });
  expect(got.status).toBe(201);
  return got.body;
}
const send = (method: string, id: string, body?: object, sent: Sent = {}) =>
  catalog.call(method, `${path}/${id}`, { ...sent, ...(body ? { body } : {}) });

async function published(lecturer_ids: string[]) {
  const course = await catalog.create({ title: `Course ${names}`, lecturer_ids });
  expect((await catalog.call('POST', `/api/courses/${course.id}/publish`)).status).toBe(200);
  await catalog.settled();
  return course;
}

describe('lecturers', () => {
  test('reject with the statuses of the error table', () => expect(disagreements(lecturerStatuses)).toEqual([]));

  test('are added with a slug of their name, read by id and slug, and move with a redirect', async () => {
    const ana = await add({ display_name: 'Zoë Çelik', contact_email: 'zoe@example.test', links: [] });
    expect(ana).toMatchObject({ slug: 'zoe-celik', status: 'active', member_id: null, bio: null, view: 'staff' });
    expect((await send('GET', 'zoe-celik')).body.id).toBe(ana.id);
    const moved = await send('PATCH', ana.id, { slug: 'zoe', bio: 'Folds.' });
    expect(moved.body).toMatchObject({ slug: 'zoe', bio: 'Folds.', version: 3 });
    const old = await send('GET', 'zoe-celik');
    expect([old.status, old.headers.get('location')]).toEqual([308, `${path}/zoe`]);
    expect((await send('PATCH', ana.id, { bio: null })).body.bio).toBeNull();
  });

  test('409 slug_taken: a stated slug is unique in the school, and in the school only', async () => {
    await add({ slug: 'the-slug' });
    const body = { display_name: 'Other', slug: 'the-slug' };
    expect((await catalog.call('POST', path, { body })).body.error).toBe('slug_taken');
    expect((await catalog.call('POST', path, { body, school: 'school_2' })).status).toBe(201);
  });

  test('show the public and members no staff field, and no archived profile', async () => {
    const ana = await add({ contact_email: 'ana@example.test' });
    const hidden = Object.entries(lecturerReply.shape).filter(([, field]) => field.meta()?.['sees'] === 'staff');
    expect(hidden.map(([name]) => name).toSorted()).toEqual(['contact_email', 'member_id', 'status']);
    for (const as of ['anonymous', member, lecturer] as const) {
      const got = await send('GET', ana.id, undefined, { as });
      expect(got.status).toBe(200);
      for (const [name] of hidden) expect(got.body).not.toHaveProperty(name);
    }
    await send('POST', `${ana.id}/archive`);
    for (const as of ['anonymous', member, lecturer] as const)
      expect((await send('GET', ana.id, undefined, { as })).status).toBe(404);
    expect((await send('GET', ana.id)).body.status).toBe('archived');
    expect((await send('POST', `${ana.id}/restore`)).body.status).toBe('active');
  });

  test('are edited by role lecturer only where the profile is the own one', async () => {
    const [own, other] = [await add(), await add()];
    expect((await send('PUT', `${own.id}/member`, { member_id: 'acc_ana' })).body.member_id).toBe('acc_ana');
    expect((await send('PATCH', own.id, { title: 'Paper' }, { as: lecturer })).body.title).toBe('Paper');
    expect((await send('PATCH', other.id, { title: 'Paper' }, { as: lecturer })).body.error).toBe('access_denied');
    for (const [method, at, body] of [
      ['POST', '', { display_name: 'New' }],
      ['PUT', `/${own.id}/member`, { member_id: null }],
      ['POST', `/${own.id}/archive`, undefined],
      ['DELETE', `/${own.id}`, undefined],
    ] as const) {
      const got = await catalog.call(method, path + at, { as: lecturer, ...(body ? { body } : {}) });
      expect([got.status, got.body.error]).toEqual([403, 'access_denied']);
    }
    expect((await send('PATCH', own.id, { title: 'x' }, { as: member })).body.error).toBe('insufficient_scope');
    expect((await send('PATCH', own.id, { title: 'x' }, { as: 'anonymous' })).body.error).toBe('access_denied');
  });

  test('409 member_taken: a member has one profile; unlinking gives the member back', async () => {
    const [one, two] = [await add(), await add()];
    await send('PUT', `${one.id}/member`, { member_id: 'acc_twice' });
    expect((await send('PUT', `${two.id}/member`, { member_id: 'acc_twice' })).body.error).toBe('member_taken');
    await send('PUT', `${one.id}/member`, { member_id: null });
    expect((await send('PUT', `${two.id}/member`, { member_id: 'acc_twice' })).status).toBe(200);
  });

  test('409 assigned: the only active lecturer of a published course is neither archived nor deleted', async () => {
    const [one, two] = [await add(), await add()];
    const course = await published([one.id]);
    for (const [method, at] of [
      ['POST', `${one.id}/archive`],
      ['DELETE', one.id],
    ] as const)
      expect((await send(method, at)).body.error).toBe('assigned');
    expect((await send('GET', one.id, undefined, { as: 'anonymous' })).body.course_ids).toEqual([course.id]);
    await catalog.call('PATCH', `/api/courses/${course.id}`, { body: { lecturer_ids: [one.id, two.id] } });
    await catalog.settled();
    expect((await send('POST', `${one.id}/archive`)).body.status).toBe('archived');
    expect((await send('POST', `${two.id}/archive`)).body.error).toBe('assigned');
  });

  test('have to exist and be active where a course names them', async () => {
    const gone = await add();
    expect((await send('DELETE', gone.id)).status).toBe(204);
    expect((await send('GET', gone.id)).status).toBe(404);
    for (const id of [gone.id, 'acc_lecturer', 'lecturer_nobody']) {
      const got = await catalog.call('POST', '/api/courses', { body: { title: 'x', lecturer_ids: [id] } });
      expect(got).toMatchObject({ status: 422, body: { details: [{ path: 'lecturer_ids.0' }] } });
    }
  });

  test('are listed by position, found by beginnings of words without accents, and archived ones are the heads’', async () => {
    const school: Sent = { school: 'school_2' };
    const last = await add({ display_name: 'Łucja Ångström', position: 900_000 }, school);
    const gone = await add({ display_name: 'Angstrom Retired' }, school);
    await send('POST', `${gone.id}/archive`, undefined, school);
    await catalog.settled();
    const found = async (query: string, sent: Sent = {}) =>
      (await catalog.call('GET', `${path}?${query}`, { ...school, ...sent })).body.data.map(
        ({ id }: { id: string }) => id,
      );
    expect(await found('q=ANGST&sort=position')).toEqual([last.id]);
    expect(await found('q=ANGST&status=archived')).toEqual([gone.id]);
    expect(await found('status=archived', { as: 'anonymous' })).toEqual([]);
    expect(await found('q=angst', { as: 'anonymous' })).toEqual([last.id]);
    expect(await found('q=ngstrom')).toEqual([]);
    expect((await found('sort=-position&limit=1'))[0]).toBe(last.id);
  });

  test('go with the member behind them when that member is erased, whatever they teach, and only then', async () => {
    const [gone, stays] = [await add(), await add()];
    await send('PUT', `${gone.id}/member`, { member_id: 'acc_gone' });
    await published([gone.id]);
    await catalog.erase('acc_nobody');
    await catalog.erase('acc_gone');
    await catalog.erase('acc_gone');
    expect((await send('GET', gone.id)).status).toBe(404);
    expect((await send('GET', gone.slug)).status).toBe(404);
    expect((await send('PUT', `${stays.id}/member`, { member_id: 'acc_gone' })).status).toBe(200);
  });

  test('leave nothing readable once they are removed', async () => {
    const removed = await add();
    expect((await send('DELETE', removed.id)).status).toBe(204);
    await until(() => catalog.erased.includes(removed.id));
  });

  test('go with every member whose they were once, but for those that are somebody else’s by now', async () => {
    const [unlinked, passedOn] = [await add(), await add()];
    for (const { id } of [unlinked, passedOn]) {
      await send('PUT', `${id}/member`, { member_id: 'acc_once' });
      await send('PUT', `${id}/member`, { member_id: null });
    }
    await send('PUT', `${passedOn.id}/member`, { member_id: 'acc_next' });
    await catalog.erase('acc_once');
    expect([(await send('GET', unlinked.id)).status, (await send('GET', passedOn.id)).status]).toEqual([404, 200]);
    expect(catalog.erased).toContain(unlinked.id);
    expect(catalog.erased).not.toContain(passedOn.id);
  });

  test('If-Match of another version is 412', async () => {
    const ana = await add();
    const headers = { 'if-match': '"9"' };
    expect((await send('PATCH', ana.id, { bio: 'x' }, { headers })).body.error).toBe('precondition_failed');
  });
});
