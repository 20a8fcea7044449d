import { afterEach, describe, expect, test } from '@jest/globals';
import { type Analytics, type ToldFact, course, enrollment, on, schoolSays, startAnalytics } from '../testing.ts';

let service: Analytics | undefined;
afterEach(async () => service?.close());

async function told(facts: readonly ToldFact[], now?: string): Promise<Analytics> {
  service = await startAnalytics({ facts, ...(now === undefined ? {} : { now }) });
  return service;
}

const [ada, bob, cem] = ['ada', 'bob', 'cem'].map((name) => enrollment(name, 1)) as [Enrolled, Enrolled, Enrolled];
const adaToo = enrollment('ada', 2);
type Enrolled = ReturnType<typeof enrollment>;

describe('enrollments', () => {
  const facts = [
    ada.activated(on('03-02'), 'order_line'),
    bob.activated(on('03-02'), 'subscription'),
    adaToo.activated(on('03-02'), 'free'),
    cem.activated(on('03-03'), 'staff'),
    bob.lapsed(on('03-04')),
    bob.activated(on('03-05'), 'staff', true),
    ada.completed(on('03-12', '11:59')),
    adaToo.completed(on('03-12', '12:00')),
    cem.completed(on('03-23')),
    // Again, after a reset: it counts no more.
    cem.reset(on('03-24')),
    cem.completed(on('03-25')),
  ];

  test('worked example: first activations by their source, returns apart, completions with the days they took', async () => {
    const { rows } = await told(facts);
    const [march] = await rows('enrollments?from=2026-03-01&to=2026-04-01&interval=month');
    expect(march).toEqual({
      date: '2026-03-01',
      course_id: null,
      enrolled: 4,
      from_orders: 1,
      from_subscriptions: 1,
      from_staff: 1,
      from_free: 1,
      from_others: 0,
      reactivated: 1,
      lapsed: 1,
      completed: 3,
      // 9, 10 and 20 days.
      completion_days_median: 10,
      completion_days_p90: 20,
    });
    const [ofCourse] = await rows(`enrollments?from=2026-03-01&to=2026-04-01&interval=month&course_id=${course(2)}`);
    expect(ofCourse).toMatchObject({
      course_id: course(2),
      enrolled: 1,
      from_free: 1,
      completed: 1,
      completion_days_p90: 10,
    });
    const days = await rows('enrollments?from=2026-03-02&to=2026-03-06');
    expect(days.map((day) => [day.enrolled, day.reactivated, day.lapsed])).toEqual([
      [3, 0, 0],
      [1, 0, 0],
      [0, 0, 1],
      [0, 1, 0],
    ]);
  });
});

describe('active students', () => {
  test('worked example: each member once in a day, week and month, in 7 and in 30 days', async () => {
    const { rows } = await told([
      ada.activated(on('03-01')),
      adaToo.activated(on('03-01')),
      bob.activated(on('03-01')),
      ada.started(on('03-02', '08:00')),
      ada.learnt(on('03-02', '09:00'), 50),
      adaToo.attempted(on('03-02', '10:00')),
      bob.started(on('03-04')),
      ada.learnt(on('03-08'), 75),
      adaToo.learnt(on('03-10'), 25),
    ]);
    const days = await rows('active_students?from=2026-03-02&to=2026-03-11');
    expect(days.map((day) => [day.date.slice(8), day.active, day.active_7_days, day.active_30_days])).toEqual([
      ['02', 1, 1, 1],
      ['03', 0, 1, 1],
      ['04', 1, 2, 2],
      ['05', 0, 2, 2],
      ['06', 0, 2, 2],
      ['07', 0, 2, 2],
      ['08', 1, 2, 2],
      ['09', 0, 2, 2],
      ['10', 1, 2, 2],
    ]);
    expect((await rows('active_students?from=2026-03-11&to=2026-03-12'))[0]).toMatchObject({
      active: 0,
      active_7_days: 1,
      active_30_days: 2,
    });
    const last = await rows('active_students?from=2026-04-02&to=2026-04-10');
    expect(last.map((day) => day.active_30_days)).toEqual([2, 1, 1, 1, 1, 1, 1, 0]);
    const weeks = await rows('active_students?from=2026-03-02&to=2026-03-16&interval=week');
    expect(weeks.map((week) => [week.date, week.active, week.active_7_days])).toEqual([
      ['2026-03-02', 2, 2],
      ['2026-03-09', 1, 1],
    ]);
    const [month] = await rows('active_students?from=2026-03-01&to=2026-04-01&interval=month');
    expect(month).toMatchObject({ active: 2, active_7_days: 0, active_30_days: 2 });
    const ofCourse = await rows(`active_students?from=2026-03-02&to=2026-03-11&course_id=${course(2)}`);
    expect(ofCourse.map((day) => day.active)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 1]);
  });

  test('a day is that of the school over a change of the clocks and of its time zone, and is not counted anew', async () => {
    const { rows, tell } = await told([
      schoolSays('2026-01-01T00:00:00.000Z', { timezone: 'America/New_York' }),
      ada.activated(on('03-01')),
      // Clocks go forward on 8 March at 02:00: the day ends at 04:00 UTC rather than 05:00.
      ada.started('2026-03-08T04:59:00.000Z'),
      ada.started('2026-03-09T03:59:00.000Z'),
      ada.started('2026-03-09T04:00:00.000Z'),
    ]);
    const shown = async () => (await rows('active_students?from=2026-03-07&to=2026-03-13')).map(({ active }) => active);
    expect(await shown()).toEqual([1, 1, 1, 0, 0, 0]);
    await tell(schoolSays('2026-03-10T12:00:00.000Z', { timezone: 'Asia/Tokyo' }), bob.activated(on('03-10')));
    expect(await shown()).toEqual([1, 1, 1, 0, 0, 0]);
    // Still 10 March where the day began, and from its end on the 11th of Tokyo, which ends at 15:00 UTC.
    await tell(
      ada.started('2026-03-11T03:59:00.000Z'),
      bob.started('2026-03-11T14:59:00.000Z'),
      ada.started('2026-03-11T15:00:00.000Z'),
    );
    expect(await shown()).toEqual([1, 1, 1, 1, 1, 1]);
  });
});

test('of a member who is erased only the counts stay', async () => {
  const { rows, tell, ports } = await told([
    ada.activated(on('03-02')),
    ada.started(on('03-02')),
    bob.activated(on('03-02')),
  ]);
  const stored = async () => {
    const found: string[] = [];
    for (let after: { value: null; id: string } | undefined, more = true; more;) {
      const page = await ports.documents.query(
        { name: 'learners', version: 1, fields: { member_id: 'text' } },
        'school_1',
        { limit: 200, ...(after ? { after } : {}) },
      );
      found.push(...page.items.map((item) => JSON.stringify(item)));
      more = page.more;
      after = { value: null, id: page.items.at(-1)?.id ?? '' };
    }
    return found.filter((text) => text.includes('account_ada'));
  };
  expect((await stored()).length).toBeGreaterThan(0);
  await tell(ada.erased(on('03-03')), ada.lapsed(on('03-03')), ada.started(on('03-04')));
  expect(await stored()).toEqual([]);
  const [march] = await rows('funnel?from=2026-03-02&to=2026-03-09');
  expect(march).toMatchObject({ enrolled: 2, started: 1, lapsed: 0 });
  expect((await rows('active_students?from=2026-03-02&to=2026-03-03'))[0]).toMatchObject({ active: 1 });
});
