import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Scope } from '@lyceum/contracts';
import { type Catalog, startCatalog } from '../testing.ts';

const may = (...scopes: Scope[]) => ({ as: { role: 'owner', scopes } }) as const;
const anonymous = { as: 'anonymous' } as const;

interface Shown {
  readonly id: string;
  readonly courses: Record<string, unknown>[];
}

describe('things that are shown whole where they are else named by id', () => {
  let catalog: Catalog;
  let [open, hidden, draft]: Record<string, string>[] = [];
  const people: string[] = [];
  beforeAll(async () => {
    catalog = await startCatalog();
    for (const display_name of ['Ana', 'Bo', 'Gone', 'Idle'])
      people.push((await catalog.call('POST', '/api/lecturers', { body: { display_name } })).body.id);
    const [ana, bo, gone] = people as [string, string, string];
    const make = (title: string, more: object) => catalog.create({ title, lecturer_ids: [ana], ...more });
    open = await make('Open course', { lecturer_ids: [ana, bo, gone] });
    hidden = await make('Hidden course', { listing: 'unlisted' });
    draft = await make('A draft', { internal_note: 'private' });
    for (const course of [open, hidden]) await catalog.call('POST', `/api/courses/${course!['id']}/publish`);
    await catalog.call('POST', `/api/lecturers/${gone}/archive`);
    await catalog.settled();
  });
  afterAll(() => catalog.close());

  const read = async (path: string, sent: object = anonymous) => (await catalog.call('GET', path, sent)).body;
  const named = (things: Record<string, unknown>[], by = 'id') => things.map((each) => each[by]);

  test('a course comes with its lecturers, and these with their public courses', async () => {
    const course = await read(`/api/courses/${open!['id']}?expand=lecturers.courses`);
    expect(named(course.lecturers)).toEqual(people.slice(0, 2));
    expect(named(course.lecturers[0].courses, 'slug')).toEqual(['open-course']);
    expect(course.lecturer_ids).toEqual(people.slice(0, 3));
  });

  test('a course comes with its curriculum as the caller may read it, an unlisted one by its slug', async () => {
    const { curriculum } = await read(`/api/courses/hidden-course?expand=curriculum`);
    const [lesson] = curriculum.sections[0].lessons;
    expect([curriculum.view, lesson.title, lesson.locked, 'status' in lesson]).toEqual([
      'anonymous',
      'A lesson',
      true,
      false,
    ]);
    const mine = await read(`/api/courses/${draft!['id']}?expand=curriculum`, {});
    expect(mine.curriculum).toMatchObject({ view: 'staff', sections: [{ lessons: [{ status: 'published' }] }] });
  });

  test('lists do the same for each thing in them, a page at a time', async () => {
    const list = await read('/api/courses?expand=lecturers&fields=slug&limit=2');
    const [course] = list.data;
    expect(Object.keys(course).sort()).toEqual(['id', 'lecturers', 'object', 'slug', 'view']);
    expect(named(course.lecturers)).toEqual(people.slice(0, 2));
    const { data } = await read(`/api/lecturers?expand=courses.lecturers&ids=${people[0]},${people[3]}`);
    expect(Object.fromEntries(data.map((each: Shown) => [each.id, named(each.courses, 'slug')]))).toEqual({
      [people[0]!]: ['open-course'],
      [people[3]!]: [],
    });
    const taught = data.find((each: Shown) => each.id === people[0]).courses;
    expect(named(taught[0].lecturers)).toEqual(people.slice(0, 2));
  });

  test('a curriculum and a lesson come with their course', async () => {
    const at = `/api/courses/${open!['id']}`;
    expect((await read(`${at}/curriculum?expand=course.lecturers`)).course).toMatchObject({
      slug: 'open-course',
      view: 'anonymous',
      lecturers: [{ display_name: 'Ana' }, { display_name: 'Bo' }],
    });
    const lesson = await read(`${at}/lessons/lesson_1?expand=course&fields=title`);
    expect(Object.keys(lesson).sort()).toEqual(['course', 'id', 'object', 'title', 'view']);
  });

  test('nobody sees more of a thing through another one than by itself', async () => {
    const alone = async (path: string, sent: object) => await read(path, sent);
    const member = { as: { role: 'member' } } as const;
    for (const sent of [anonymous, member, {}, { as: { role: 'lecturer', subject: 'acc_lecturer' } } as const]) {
      const { lecturers } = await read(`/api/courses/${open!['id']}?expand=lecturers.courses`, sent);
      for (const { courses, ...lecturer } of lecturers) {
        const { course_ids, ...own } = await alone(`/api/lecturers/${lecturer.id}`, sent);
        expect([lecturer, named(courses)]).toEqual([own, course_ids]);
        for (const course of courses) {
          const { description: _long, ...whole } = await alone(`/api/courses/${course.id}`, sent);
          expect(course).toEqual(whole);
        }
      }
    }
    const seen = await read(`/api/courses/${open!['id']}?expand=lecturers`, {});
    expect(named(seen.lecturers, 'status')).toEqual(['active', 'active', 'archived']);
  });

  test('a token needs the scope of the other area too', async () => {
    const expanding = (path: string, ...scopes: Scope[]) => catalog.call('GET', path, may(...scopes));
    const refused = await expanding(`/api/courses/${open!['id']}?expand=lecturers`, 'courses:read');
    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope']);
    expect(refused.headers.get('WWW-Authenticate')).toContain('scope="lecturers:read"');
    expect((await expanding('/api/lecturers?expand=courses', 'lecturers:read')).status).toBe(403);
    expect((await expanding('/api/lecturers?expand=courses', 'lecturers:read', 'courses:read')).status).toBe(200);
  });

  test.each([
    ['/api/courses?expand=curriculum', 'There are: lecturers'],
    ['/api/courses?fields=description', 'There are: id, object, title, subtitle'],
    ['/api/digital_products?fields=nothing', 'There are: id, object, title'],
  ])('a name that is not known there is 400 and told: %s', async (path, told) => {
    const { status, body } = await catalog.call('GET', path, anonymous);
    expect([status, body.error, body.error_description]).toEqual([
      400,
      'invalid_request',
      expect.stringContaining(told),
    ]);
  });

  test('what shows other things has no ETag, as they change by themselves; parts of a thing have', async () => {
    const at = `/api/courses/${open!['id']}`;
    expect((await catalog.call('GET', `${at}?expand=lecturers`)).headers.get('ETag')).toBeNull();
    expect((await catalog.call('GET', `${at}?fields=title`)).headers.get('ETag')).toMatch(/^"\d+"$/);
  });
});
