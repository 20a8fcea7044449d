import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { enrollmentStream } from '../enrollments/enrollment.ts';
import { type Learning, courseIds, memberToken, productIds, startLearning } from '../testing.ts';

let learning: Learning;
beforeAll(async () => void (learning = await startLearning()));
afterAll(() => learning.close());

type Course = keyof typeof courseIds;

const named = (which: 'all' | readonly string[], item_type: string) =>
  which === 'all' ? [{ item_type, item_id: null }] : which.map((item_id) => ({ item_type, item_id }));

interface Opens {
  readonly courses?: 'all' | readonly Course[];
  readonly products?: 'all' | readonly string[];
  readonly keep?: boolean;
  /** What it opened before. */
  readonly before?: Opens;
}

const itemsOf = ({ courses = [], products = [] }: Opens) => {
  const ids = courses === 'all' ? courses : courses.map((name) => courseIds[name]);
  return { ids, products, items: [...named(ids, 'course'), ...named(products, 'digital_product')] };
};

/** The commerce service publishes what a plan opens. */
function opens(plan_id: string, { keep = false, before = {}, ...opened }: Opens, school = 'school_1') {
  const { ids, products, items } = itemsOf(opened);
  const was = itemsOf(before).items;
  const differ = (one: typeof items, other: typeof items) =>
    one.filter((each) => !other.some((its) => JSON.stringify(its) === JSON.stringify(each)));
  const grants = { courses: ids, digital_products: products, posts: false, event_discount_percent: 0 };
  const data = { plan_id, plan_version: 1, grants, added: differ(items, was), removed: differ(was, items) };
  return learning.publish('commerce', {
    type: 'PlanGrantsChanged',
    data: { ...data, keep_existing: keep },
    school,
  });
}

/** The commerce service publishes what becomes of a member's subscription, whose id is that of the member and a number. */
function subscription(member: string, number: number, plan_id: string, school = 'school_1') {
  const about = { subscription_id: `subscription_${member}_${number}`, member_id: `account_${member}`, plan_id };
  return (type: string, access: number, more: object = {}) =>
    learning.publish('commerce', { type, data: { ...about, plan_version: 1, access, ...more }, school });
}

const course = (name: Course, type = 'CourseShown') => ({
  type,
  data: {
    course_id: courseIds[name],
    slug: name,
    title: name,
    summary: null,
    access: 'members',
    listed: true,
    prices: [],
    seat_limit: null,
    lecturer_ids: [],
    access_days: null,
  },
});

const product = (name: keyof typeof productIds) => ({
  type: 'DigitalProductShown',
  data: {
    product_id: productIds[name],
    slug: name,
    title: name,
    summary: null,
    access: 'members',
    prices: [],
    files: 1,
  },
});

/** Courses that are open to a member, by name. */
async function openTo(member: string): Promise<readonly string[]> {
  const { body } = await learning.call('GET', '/api/account/enrollments?limit=100', { as: memberToken(member) });
  const active: string[] = body.data
    .filter(({ state }: { state: string }) => state === 'active')
    .map(({ course_id }: { course_id: string }) => course_id);
  return Object.entries(courseIds).flatMap(([name, id]) => (active.includes(id) ? [name] : []));
}

/** Waits, for a second at most, until something is so. */
async function within<T>(read: () => Promise<T>, expected: T): Promise<void> {
  const until = performance.now() + 1_000;
  let now = await read();
  while (JSON.stringify(now) !== JSON.stringify(expected) && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    now = await read();
  }
  expect(now).toEqual(expected);
}

const publicCourses = ['free', 'paid', 'limited', 'seats', 'later', 'over', 'taught', 'quizzed'];

/** A member of the school who has not been in a test before. */
let people = 0;
async function somebody(): Promise<string> {
  const name = `subscriber${(people += 1)}`;
  await learning.publish('school', { type: 'MemberJoined', data: { member_id: `account_${name}`, role: 'member' } });
  return name;
}

const typesOf = async (member: string, name: Course) =>
  (await learning.log.load('school_1', [enrollmentStream(`account_${member}`, courseIds[name])], 0)).commits
    .flatMap(({ events }) => events)
    .map(({ type }) => type);

describe('what a plan opens', () => {
  test('is open within a second of the subscription, and closed within a second of its end', async () => {
    const member = await somebody();
    await opens('plan_two', { courses: ['paid', 'limited'] });
    const say = subscription(member, 1, 'plan_two');
    await say('SubscriptionStarted', 1);
    await within(() => openTo(member), ['paid', 'limited']);
    const { body } = await learning.call('GET', `/api/students/account_${member}`);
    expect(body.enrollments[0].grants).toMatchObject([
      { source_type: 'subscription', source_id: `subscription_${member}_1.1`, expires_at: null, state: 'live' },
    ]);
    await say('SubscriptionCanceled', 1);
    await within(() => openTo(member), []);
  });

  test('is every course of the school where it opens all: those that are public, and those that will be', async () => {
    const member = await somebody();
    await opens('plan_all', { courses: 'all' });
    await subscription(member, 1, 'plan_all')('SubscriptionStarted', 1);
    await within(() => openTo(member), publicCourses);
    await learning.publish('catalog', course('draft'));
    await within(() => openTo(member), [...publicCourses.slice(0, 6), 'draft', ...publicCourses.slice(6)]);
    // It was public once, and is again.
    await learning.publish('catalog', course('unpublished'));
    await within(async () => (await openTo(member)).includes('unpublished'), true);
    // What is put away stays with those who have it.
    await learning.publish('catalog', course('draft', 'CourseUnpublished'));
    await learning.settled();
    expect(await openTo(member)).toContain('draft');
  });

  test('is a digital product, too', async () => {
    const member = await somebody();
    await opens('plan_files', { products: 'all' });
    await subscription(member, 1, 'plan_files')('SubscriptionStarted', 1);
    await learning.publish('catalog', product('paid'));
    const given = async () =>
      (await learning.call('GET', `/api/students/account_${member}/digital_products`)).body.data.map(
        ({ product_id }: { product_id: string }) => product_id,
      );
    await within(given, [productIds.paid]);
  });

  test('is left as it was by what else is bought: it stays open when the subscription ends', async () => {
    const member = await somebody();
    await opens('plan_bought', { courses: ['paid', 'free'] });
    const line = { line_id: 'order_1.1', item_type: 'course', item_id: courseIds.paid };
    await learning.publish('commerce', {
      type: 'OrderFulfillable',
      data: { order_id: 'order_1', member_id: `account_${member}`, lines: [line] },
    });
    const say = subscription(member, 1, 'plan_bought');
    await say('SubscriptionStarted', 1);
    await within(() => openTo(member), ['free', 'paid']);
    await say('SubscriptionLapsed', 1);
    await within(() => openTo(member), ['paid']);
  });

  test('rests while the subscription does, and goes on with what was learnt', async () => {
    const member = await somebody();
    await opens('plan_taught', { courses: ['taught'] });
    const say = subscription(member, 1, 'plan_taught');
    await say('SubscriptionStarted', 1);
    await within(() => openTo(member), ['taught']);
    const own = () => learning.call('GET', '/api/account/enrollments', { as: memberToken(member) });
    const { id } = (await own()).body.data[0];
    const path = `/api/account/enrollments/${id}/lessons/lesson_film`;
    await learning.call('PUT', path, { as: memberToken(member), body: { state: 'completed' } });
    await say('SubscriptionPaused', 1);
    await within(() => openTo(member), []);
    await say('SubscriptionResumed', 2);
    await within(() => openTo(member), ['taught']);
    expect((await own()).body.data[0].progress.completed).toBe(1);
  });

  test('of another plan takes its place, without a gap where both open the same', async () => {
    const member = await somebody();
    await opens('plan_small', { courses: ['paid', 'free'] });
    await opens('plan_large', { courses: ['paid', 'limited', 'seats'] });
    await subscription(member, 1, 'plan_small')('SubscriptionStarted', 1);
    await within(() => openTo(member), ['free', 'paid']);
    const changed = { from_plan_id: 'plan_small', access_before: 1 };
    await subscription(member, 1, 'plan_large')('SubscriptionPlanChanged', 2, changed);
    await within(() => openTo(member), ['paid', 'limited', 'seats']);
    expect(await typesOf(member, 'paid')).toEqual([
      'AccessGranted',
      'EnrollmentActivated',
      'AccessGranted',
      'AccessRevoked',
    ]);
  });

  test('changes for those who have it: they get what is added, and lose what is removed unless they may keep it', async () => {
    const [old, late] = [await somebody(), await somebody()];
    const first = { courses: ['paid', 'free', 'seats'] } as const;
    await opens('plan_changing', first);
    await subscription(old, 1, 'plan_changing')('SubscriptionStarted', 1);
    await within(() => openTo(old), ['free', 'paid', 'seats']);
    const second = { courses: ['paid', 'limited'] } as const;
    await opens('plan_changing', { ...second, before: first });
    await within(() => openTo(old), ['paid', 'limited']);
    const third = { courses: ['limited', 'free'] } as const;
    await opens('plan_changing', { ...third, before: second, keep: true });
    await subscription(late, 1, 'plan_changing')('SubscriptionStarted', 1);
    await within(() => openTo(late), ['free', 'limited']);
    await within(() => openTo(old), ['free', 'paid', 'limited']);
  });
});

describe('what arrives otherwise', () => {
  test('twice, or after the end, opens nothing', async () => {
    const [member, other] = [await somebody(), await somebody()];
    await opens('plan_twice', { courses: ['paid'] });
    const say = subscription(member, 1, 'plan_twice');
    await say('SubscriptionCanceled', 1);
    await say('SubscriptionStarted', 1);
    const twice = subscription(other, 1, 'plan_twice');
    for (let times = 0; times < 3; times += 1) await twice('SubscriptionStarted', 1);
    await within(() => openTo(other), ['paid']);
    expect(await openTo(member)).toEqual([]);
    expect(await typesOf(other, 'paid')).toEqual(['AccessGranted', 'EnrollmentActivated']);
    expect(await typesOf(member, 'paid')).toEqual([]);
  });

  test('of another school opens nothing here', async () => {
    const [member, witness] = [await somebody(), await somebody()];
    await opens('plan_there', { courses: 'all' }, 'school_2');
    await subscription(member, 1, 'plan_there', 'school_2')('SubscriptionStarted', 1);
    await opens('plan_here', { courses: ['free'] });
    await subscription(witness, 1, 'plan_here')('SubscriptionStarted', 1);
    await within(() => openTo(witness), ['free']);
    expect(await openTo(member)).toEqual([]);
  });

  test('about somebody who is erased writes nothing', async () => {
    const witness = await somebody();
    await opens('plan_gone', { courses: ['paid'] });
    for (const type of ['SubscriptionStarted', 'SubscriptionCanceled'])
      await subscription('erased', 1, 'plan_gone')(type, 1);
    await subscription(witness, 1, 'plan_gone')('SubscriptionStarted', 1);
    await within(() => openTo(witness), ['paid']);
    expect(await typesOf('erased', 'paid')).toEqual([]);
  });
});

test('nothing is written that the release before does not know: it takes part while this one works', async () => {
  const { log } = learning;
  const commits = await log.readLane(log.laneOf('school_1'), 0, 10_000);
  const types = new Set(commits.flatMap(({ events }) => events.map(({ type }) => type)));
  const streams = new Set(
    commits.flatMap(({ events }) => events.map(({ stream }) => stream.replace(/_[0-9a-f-]{36}$/, ''))),
  );
  // All of them are from the first release with enrollments; the lesson is what the test learnt.
  const lesson = ['LessonCompleted', 'LessonStarted'];
  const known = ['AccessGranted', 'AccessRevoked', 'EnrollmentActivated', 'EnrollmentLapsed', ...lesson];
  expect([...types].toSorted()).toEqual(known.toSorted());
  expect([...streams].toSorted()).toEqual(['enrollment', 'product_access']);
});
