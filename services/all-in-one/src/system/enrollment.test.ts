import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, type Place, call, describeTopologies } from '@lyceum/testkit';
import { hasStatus, inForce } from '../testing/in-force.ts';

/** Access to a course, from the grant to what lessons teach, through the real gateway. */
await describeTopologies('enrollments', ({ open, lag }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  let staff: string;
  let student: string;
  let member: string;
  let paid: string;
  let free: string;
  const api = (path: string, options: Parameters<typeof call>[1] = {}) => call(`${system.baseUrl}/api${path}`, options);
  const within = lag === 0 ? 1_000 : lag;

  beforeAll(async () => {
    ({ system, close } = await open());
    const client = await Client.register(system.baseUrl);
    const tokenOf = async (local: string, scope: string) =>
      (await client.tokens(`${local}@lantern.test`, system.password, scope)).access_token;
    staff = await tokenOf(
      'owner',
      'students:read students:write courses:read courses:write curriculum:read curriculum:write lecturers:read',
    );
    student = await tokenOf('student', 'openid account:read account:write courses:read curriculum:read');
    member = (await api('/account', { token: student })).body.sub;
    const idOf = async (access: string) => (await api(`/courses?access=${access}`)).body.data[0].id;
    [paid, free] = [await idOf('paid'), await idOf('free')];
  }, 180_000);
  afterAll(() => close());

  /** Whether the student reads what the first lesson that is open at once teaches. */
  async function reads(course: string) {
    const { body } = await api(`/courses/${course}/curriculum`, { token: student });
    const lessons: { preview: boolean; release: { type: string }; locked: boolean }[] = body.sections.flatMap(
      (section: { lessons: object[] }) => section.lessons,
    );
    return { isOpen: lessons.some(({ preview, locked }) => !preview && !locked) };
  }
  const inSight = (isOpen: boolean) => (read: { isOpen: boolean }) => read.isOpen === isOpen;

  test('a grant opens what lessons teach within a second, and its end closes it', async () => {
    expect(await reads(paid)).toEqual({ isOpen: false });
    const path = `/students/${member}/enrollments`;
    const json = { course_id: paid };
    // Who has joined and what is for sale, the service learned by integration events.
    const made = await inForce(within, () => api(path, { token: staff, json }), hasStatus(201));
    expect([made.status, made.body.state]).toEqual([201, 'active']);
    expect((await inForce(within, () => reads(paid), inSight(true))).isOpen).toBe(true);
    const listed = await inForce(
      within,
      () => api(`/students?course_id=${paid}&ids=${member}`, { token: staff }),
      ({ body }) => body.data.length === 1,
    );
    expect(listed.body.data[0]).toMatchObject({ id: member, email: 'student@lantern.test' });
    const ended = await api(`${path}/${made.body.id}`, { method: 'DELETE', token: staff });
    expect([ended.status, ended.body.state]).toEqual([200, 'lapsed']);
    expect((await inForce(within, () => reads(paid), inSight(false))).isOpen).toBe(false);
  });

  /** A course of two lessons, of which the second waits for the first. */
  async function courseThatWaits() {
    const post = async (path: string, json: object = {}) => {
      const made = await api(path, { token: staff, json });
      expect([path, made.status < 300]).toEqual([path, true]);
      return made.body;
    };
    const [lecturer] = (await api('/lecturers', { token: staff })).body.data;
    const { id } = await post('/courses', { title: 'One by one', access: 'free', lecturer_ids: [lecturer.id] });
    const section = await post(`/courses/${id}/sections`, { title: 'All' });
    const lessons: string[] = [];
    for (const title of ['First', 'Second']) {
      const release =
        lessons[0] === undefined ? { type: 'immediate' } : { type: 'after_lesson', lesson_id: lessons[0] };
      const lesson = await post(`/courses/${id}/lessons`, { section_id: section.id, title, type: 'text', release });
      await post(`/courses/${id}/lessons/${lesson.id}/publish`);
      lessons.push(lesson.id);
    }
    await post(`/courses/${id}/publish`);
    return { id, lessons };
  }

  test('a completed lesson opens what waits for it within a second, and the course is completed with the last', async () => {
    const { id, lessons } = await courseThatWaits();
    const read = async () =>
      (await api(`/courses/${id}/lessons/${lessons[1]}`, { token: student })).body as { locked: boolean };
    const enroll = () => api('/account/enrollments', { token: student, json: { course_id: id } });
    const { body: enrollment } = await inForce(within, enroll, hasStatus(201));
    const path = `/account/enrollments/${enrollment.id}`;
    const learn = (lesson: number, state: string) =>
      api(`${path}/lessons/${lessons[lesson]}`, { method: 'PUT', token: student, json: { state } });
    const begun = await inForce(within, () => learn(0, 'started'), hasStatus(200));
    expect(begun.body.state).toBe('started');
    expect([(await learn(1, 'started')).body.error, (await read()).locked]).toEqual(['locked_lesson', true]);
    const done = await learn(0, 'completed');
    expect(done.body).toMatchObject({ state: 'completed', progress: { completed: 1, required: 2, percent: 50 } });
    const opened = await inForce(1_000, read, ({ locked }) => !locked);
    expect(opened.locked).toBe(false);
    expect((await learn(1, 'completed')).body.progress.percent).toBe(100);
    const { body } = await api(path, { token: student });
    expect(body).toMatchObject({ progress: { percent: 100 }, completed_at: expect.any(String) });
    const reset = await api(`/students/${member}/enrollments/${enrollment.id}/progress-reset`, {
      token: staff,
      json: {},
    });
    expect([reset.status, reset.body.completed_at]).toEqual([200, null]);
    expect((await inForce(1_000, read, ({ locked }) => locked)).locked).toBe(true);
  });

  test('a member enrolls in a free course alone, and in no other; the account’s paths stay where they were', async () => {
    const enroll = (course_id: string) => api('/account/enrollments', { token: student, json: { course_id } });
    expect((await enroll(paid)).body.error).toBe('not_entitled');
    const made = await enroll(free);
    expect([made.status, made.body.course_id]).toEqual([201, free]);
    const { body } = await api(`/account/enrollments/${made.body.id}`, { token: student });
    expect(body).toEqual(made.body);
    expect((await api('/account', { token: student })).body.sub).toBe(member);
    const seen = await api('/changes?types=AccessGranted', { token: student });
    expect(JSON.stringify(seen.body)).not.toContain(made.body.id);
  });
});
