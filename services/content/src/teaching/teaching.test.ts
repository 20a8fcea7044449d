import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { type Calendar, memberToken, startCalendar } from '../testing/calendar.ts';

const uuid = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const [ada, bob, eve] = [1, 2, 3].map((number) => `lecturer_${uuid(number)}`) as [string, string, string];
const [open, closed, none] = [4, 5, 6].map((number) => `course_${uuid(number)}`) as [string, string, string];

let calendar: Calendar;
beforeAll(async () => {
  calendar = await startCalendar();
  calendar.school.teaching = new Set([ada, bob, open, closed]);
  await said('CoursePublished', { course_id: open, slug: 'open', title: 'Open', access: 'open', listed: true });
});
afterAll(() => calendar.close());

/** The catalog service publishes something. */
async function said(type: string, data: object, school = 'school_1'): Promise<void> {
  await calendar.publish('catalog', { type, data, school });
  await calendar.settled();
}

const path = '/api/events';
const create = (body: object) => {
  const times = { starts_at: calendar.inHours(24), ends_at: calendar.inHours(26) };
  return calendar.call('POST', path, { body: { title: 'Evening', ...times, ...body } });
};
const patch = (id: string, body: object) => calendar.call('PATCH', `${path}/${id}`, { body });

describe('who teaches at an event, and its course', () => {
  test('are those of the school: another one is named in the problem', async () => {
    const { status, body } = await create({ lecturer_ids: [ada, eve], course_id: none });
    expect([status, body.error]).toEqual([422, 'validation_failed']);
    expect(body.details.map(({ path: at, code }: Record<string, string>) => [at, code])).toEqual([
      ['lecturer_ids.1', 'unknown_lecturer'],
      ['course_id', 'unknown_course'],
    ]);
    const made = await create({ lecturer_ids: [ada, bob], course_id: closed });
    expect([made.status, made.body.lecturer_ids, made.body.course_id]).toEqual([201, [ada, bob], closed]);
    for (const wrong of [{ lecturer_ids: [eve] }, { course_id: none }])
      expect((await patch(made.body.id, wrong)).status).toBe(422);
    expect((await patch(made.body.id, { lecturer_ids: null, course_id: null })).body).toMatchObject({
      lecturer_ids: [],
      course_id: null,
    });
  });

  test('may stay when they are archived since; only what is new is asked for', async () => {
    const { body } = await create({ lecturer_ids: [ada], course_id: open });
    const { teaching } = calendar.school;
    try {
      calendar.school.teaching = new Set([bob]);
      expect((await patch(body.id, { title: 'Night', lecturer_ids: [ada, bob], course_id: open })).status).toBe(200);
      expect((await create({ lecturer_ids: [ada] })).status).toBe(422);
      calendar.school.teaching = null;
      expect((await patch(body.id, { title: 'Day', lecturer_ids: [bob] })).status).toBe(200);
      expect((await patch(body.id, { lecturer_ids: [eve] })).body.error).toBe('temporarily_unavailable');
      expect((await create({})).status).toBe(201);
    } finally {
      calendar.school.teaching = teaching;
    }
  });

  test('are left out for others than the staff once they are archived, gone or not public', async () => {
    const { id } = await calendar.event({ lecturer_ids: [ada, bob], course_id: open });
    const draft = await calendar.event({ lecturer_ids: [ada], course_id: closed });
    const readers: readonly (TokenClaims | 'anonymous')[] = ['anonymous', memberToken('reader'), { role: 'owner' }];
    const shown = async (event: string) => {
      await calendar.settled();
      const seen = await Promise.all(
        readers.map(async (as) => {
          const alone = (await calendar.call('GET', `${path}/${event}`, { as })).body;
          const { data } = (await calendar.call('GET', `${path}?limit=100`, { as })).body;
          const listed = data.find((each: { id: string }) => each.id === event);
          expect([listed.lecturer_ids, listed.course_id]).toEqual([alone.lecturer_ids, alone.course_id]);
          return [alone.lecturer_ids, alone.course_id];
        }),
      );
      expect(seen[0]).toEqual(seen[1]);
      return seen.slice(1);
    };
    expect(await shown(draft.id)).toEqual([
      [[ada], null],
      [[ada], closed],
    ]);
    const whole = [[ada, bob], open];
    expect(await shown(id)).toEqual([whole, whole]);
    await said('LecturerArchived', { lecturer_id: ada });
    await said('CourseArchived', { course_id: open });
    expect(await shown(id)).toEqual([[[bob], null], whole]);
    await said('LecturerRestored', { lecturer_id: ada });
    await said('LecturerRemoved', { lecturer_id: bob });
    expect(await shown(id)).toEqual([[[ada], null], whole]);
    // What another school says of the same ids is not about this one.
    await said('LecturerArchived', { lecturer_id: ada }, 'school_2');
    expect(await shown(id)).toEqual([[[ada], null], whole]);
  });
});
