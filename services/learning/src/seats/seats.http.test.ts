import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { writeErasure } from '@lyceum/service';
import { until } from '@lyceum/testkit';
import type { Got } from '@lyceum/testkit-service';
import { type Learning, courseIds, importOver, memberToken, startLearning } from '../testing.ts';

let learning: Learning;
beforeEach(async () => {
  await learning?.close();
  learning = await startLearning();
});
afterAll(() => learning.close());

const course_id = courseIds.seats;
const people = ['member', 'enrolled', 'other'] as const;

const enrollOwn = (name: string, headers: Record<string, string> = {}) =>
  learning.call('POST', '/api/account/enrollments', { as: memberToken(name), body: { course_id }, headers });
const enroll = (name: string, headers: Record<string, string> = {}) =>
  learning.call('POST', `/api/students/account_${name}/enrollments`, { body: { course_id }, headers });
const path = (name: string, id: string) => `/api/students/account_${name}/enrollments/${id}`;

/** What is read, once it is as it should be. */
async function once(read: () => Promise<Got>, is: (got: Got['body']) => boolean): Promise<Got['body']> {
  let now: Got['body'];
  await until(
    async () => is((now = (await read()).body)),
    () => `another than ${JSON.stringify(now)}`,
  );
  return now;
}

const stateOnce = (name: string, id: string, state: string) =>
  once(
    () => learning.call('GET', path(name, id)),
    (body) => body.state === state,
  );

/** Somebody has each of the three seats. */
async function filled(): Promise<readonly string[]> {
  const all = await Promise.all(people.map((name) => enroll(name)));
  expect(all.map(({ status }) => status)).toEqual([201, 201, 201]);
  return all.map(({ body }) => body.id);
}

describe('a course with three seats', () => {
  test('is for three, whether the staff or they themselves enroll them; the fourth is told that it is sold out', async () => {
    learning.school.join('account_fourth');
    const all = [await enrollOwn('member'), await enroll('enrolled'), await enrollOwn('other'), await enroll('fourth')];
    expect(all.map(({ status, body }) => [status, body.state ?? body.error])).toEqual([
      [201, 'active'],
      [201, 'active'],
      [201, 'active'],
      [409, 'sold_out'],
    ]);
    expect((await enrollOwn('fifth')).body.error).toBe('sold_out');
    expect(learning.seats.taken(course_id)).toBe(3);
  });

  test('answers 202 while the seat is awaited, and there is no access until it comes', async () => {
    const release = learning.seats.hold();
    const { status, body, headers } = await enrollOwn('member', { prefer: 'wait=0' });
    expect([status, body.state, body.starts_at]).toEqual([202, 'awaiting_seat', null]);
    expect(headers.get('location')).toBe(`/api/account/enrollments/${body.id}`);
    const own = (rest = '') =>
      learning.call('GET', `/api/account/enrollments/${body.id}${rest}`, { as: memberToken('member') });
    expect((await own()).body).toMatchObject({ state: 'awaiting_seat', next_lesson: null });
    const { body: shown } = await learning.call('GET', path('member', body.id));
    expect(shown.grants).toEqual([expect.objectContaining({ source_type: 'free', state: 'awaiting_seat' })]);
    await release();
    await stateOnce('member', body.id, 'active');
    expect((await own()).body.state).toBe('active');
  });

  test('RFC 7240 §4.3: `Prefer: wait` waits for the seat, and no longer', async () => {
    const release = learning.seats.hold();
    const began = performance.now();
    const late = await enroll('member', { prefer: 'wait=1' });
    expect([late.status, late.headers.get('preference-applied')]).toEqual([202, 'wait=1']);
    expect(performance.now() - began).toBeGreaterThan(950);
    setTimeout(() => {
      // The access begins after the call, and is there in its answer.
      learning.clock.advance(1_000);
      void release();
    }, 100);
    const inTime = await enroll('other', { prefer: 'wait=8, handling=lenient' });
    expect([inTime.status, inTime.body.state]).toEqual([201, 'active']);
    expect(performance.now() - began).toBeLessThan(7_000);
    const [again, async] = [learning.seats.hold(), await enroll('enrolled', { prefer: 'respond-async' })];
    expect([async.status, async.headers.get('preference-applied')]).toEqual([202, null]);
    await again();
  });

  test('the same Idempotency-Key answers with what became of it', async () => {
    const release = learning.seats.hold();
    const headers = { 'idempotency-key': 'one-seat', prefer: 'wait=0' };
    expect((await enroll('member', headers)).status).toBe(202);
    expect((await enroll('member', { prefer: 'wait=0' })).body.error).toBe('already_granted');
    await release();
    const again = await enroll('member', { ...headers, prefer: 'wait=5' });
    expect([again.status, again.body.state, learning.seats.taken(course_id)]).toEqual([201, 'active', 1]);
  });

  test('refuses whose answer comes late, who may try again when a seat is free', async () => {
    const ids = await filled();
    const release = learning.seats.hold();
    const headers = { 'idempotency-key': 'late', prefer: 'wait=0' };
    learning.school.join('account_fourth');
    const { body } = await enroll('fourth', headers);
    await release();
    expect((await stateOnce('fourth', body.id, 'refused')).grants).toEqual([]);
    expect((await enroll('fourth', headers)).body.error).toBe('sold_out');
    expect((await learning.call('DELETE', path('member', ids[0]!))).body.state).toBe('lapsed');
    await once(
      async () => ({ status: 200, headers: new Headers(), body: learning.seats.taken(course_id) }),
      (taken) => taken === 2,
    );
    expect(await enroll('fourth')).toMatchObject({ status: 201, body: { id: body.id, state: 'active' } });
  });

  test('a seat that is taken back before the answer gives nothing, and is returned', async () => {
    const release = learning.seats.hold();
    const { body } = await enroll('member', { prefer: 'wait=0' });
    const ended = await learning.call('DELETE', path('member', body.id));
    expect([ended.status, ended.body.state]).toEqual([200, 'lapsed']);
    await release();
    await learning.settled();
    await new Promise((done) => setTimeout(done, 50));
    const { body: read } = await learning.call('GET', path('member', body.id));
    expect([read.state, learning.seats.heard]).toEqual(['lapsed', ['SeatRequested', 'SeatReturned']]);
    expect(learning.seats.taken(course_id)).toBe(0);
  });

  test('an order brings its own: nothing is asked for it', async () => {
    const lines = [{ line_id: 'line_1', item_type: 'course', item_id: course_id }];
    const data = { order_id: 'order_1', member_id: 'account_other', lines };
    await learning.publish('commerce', { type: 'OrderFulfillable', data });
    await once(
      () => learning.call('GET', '/api/account/enrollments', { as: memberToken('other') }),
      ({ data: all }) => all.length === 1,
    );
    expect(learning.seats.heard).toEqual([]);
  });

  test('returns the seat of who is erased, also of one that was still awaited', async () => {
    await filled();
    const release = learning.seats.hold();
    await enrollOwn('erasable', { prefer: 'wait=0' });
    for (const subject of ['account_member', 'account_erasable']) {
      await learning.vault.destroy('school_1', subject);
      const at = new Date(learning.clock.now()).toISOString();
      await writeErasure(learning.log, { school: 'school_1', subject, meta: { actor: 'system' }, at });
    }
    await once(
      async () => ({ status: 200, headers: new Headers(), body: learning.seats.heard }),
      (heard) => heard.filter((type: string) => type === 'SeatReturned').length === 2,
    );
    await release();
    expect(learning.seats.taken(course_id)).toBe(2);
  });
});

describe('the staff', () => {
  test('find who waits, and who was refused, in lists and in the file', async () => {
    await filled();
    learning.school.join('account_refused');
    learning.school.join('account_waiting');
    await enroll('refused');
    const release = learning.seats.hold();
    const { body: waiting } = await enroll('waiting', { prefer: 'wait=0' });
    await learning.settled();
    const ids = async (query: string) =>
      (await learning.call('GET', `/api/students?${query}`)).body.data.map(({ id }: { id: string }) => id).toSorted();
    for (const also of ['', `&course_id=${course_id}`]) {
      expect(await ids(`state=awaiting_seat${also}`)).toEqual(['account_waiting']);
      expect(await ids(`state=refused${also}`)).toEqual(['account_refused']);
    }
    expect(await ids(`state=lapsed&course_id=${course_id}`)).toEqual([]);
    expect(await ids(`state=active&course_id=${course_id}`)).toHaveLength(3);
    const { body: file } = await learning.call('GET', `/api/students/export?state=awaiting_seat`);
    expect(file).toContain(`,awaiting_seat,`);
    const own = await learning.call('GET', '/api/account/enrollments?state=awaiting_seat', {
      as: memberToken('waiting'),
    });
    expect(own.body.data.map(({ id }: { id: string }) => id)).toEqual([waiting.id]);
    await release();
    await stateOnce('waiting', waiting.id, 'refused');
    await learning.settled();
    expect(await ids('state=refused')).toEqual(['account_refused', 'account_waiting']);
  });

  test('enroll many, and are told of each whether there was a seat, or it is awaited', async () => {
    const member_ids = ['m1', 'm2', 'm3', 'm4', 'm5'].map((name) => `account_${name}`);
    for (const id of member_ids) learning.school.join(id);
    const body = { member_ids, course_id };
    const { body: bulk } = await learning.call('POST', '/api/students/bulk-enroll', { body });
    expect(bulk).toMatchObject({ done: 3, waiting: 0, unchanged: 0, refused: 2 });
    const refused = bulk.results.filter(({ code }: { code: string | null }) => code === 'sold_out');
    expect(refused).toHaveLength(2);
    const release = learning.seats.hold();
    const later = await learning.call('POST', '/api/students/bulk-enroll', { body, headers: { prefer: 'wait=0' } });
    expect(later.body).toMatchObject({ done: 0, waiting: 2, unchanged: 3, refused: 0 });
    await release();
  });

  test('add a student by address, and read there whether there was a seat', async () => {
    await filled();
    const body = { email: 'late@example.org', course_ids: [course_id, courseIds.free] };
    const { status, body: student } = await learning.call('POST', '/api/students', { body });
    const states = student.enrollments.map((each: { course_id: string; state: string }) => [
      each.course_id,
      each.state,
    ]);
    expect([status, Object.fromEntries(states)]).toEqual([201, { [course_id]: 'refused', [courseIds.free]: 'active' }]);
  });

  test('import many: who gets no seat is an error of the row, and nobody counts before the answer', async () => {
    const release = learning.seats.hold();
    const rows = [1, 2, 3, 4, 5].map((number) => ({ email: `row-${number}@example.org`, course_ids: [course_id] }));
    const { body: begun } = await learning.call('POST', '/api/student_imports', { body: { rows } });
    await once(
      async () => ({ status: 200, headers: new Headers(), body: learning.seats.heard.length }),
      (heard) => heard === 5,
    );
    const { body: meanwhile } = await learning.call('GET', `/api/student_imports/${begun.id}`);
    expect([meanwhile.status, meanwhile.enrolled]).toEqual(['running', 0]);
    await release();
    const over = await importOver(learning, begun.id);
    expect([over.status, over.enrolled, over.failed ?? over.errors]).toEqual(['completed', 3, 2]);
    const { body: errors } = await learning.call('GET', `/api/student_imports/${begun.id}/errors`);
    expect(errors.data.map(({ code }: { code: string }) => code)).toEqual(['sold_out', 'sold_out']);
  });

  test('need a seat again to extend what has expired', async () => {
    const expires_at = new Date(learning.clock.now() + 3_600_000).toISOString();
    const { body } = await learning.enroll('member', 'seats', { expires_at });
    const longer = await learning.call('PATCH', path('member', body.id), { body: { expires_at: null } });
    expect([longer.status, longer.body.state, learning.seats.heard.length]).toEqual([200, 'active', 1]);
  });

  test('set the limit of a course that is not public, too', async () => {
    const data = { course_id: courseIds.unpublished, seat_limit: 1 };
    await learning.publish('catalog', { type: 'SeatLimitChanged', data });
    await learning.settled();
    await learning.enroll('member', 'unpublished');
    expect(learning.seats.heard).toEqual(['SeatRequested']);
  });
});
