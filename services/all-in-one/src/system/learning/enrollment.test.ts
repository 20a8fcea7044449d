import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, type Place, call, describeTopologies, patience } from '@lyceum/testkit';
import { hasStatus, inForce } from '../../testing/in-force.ts';

/** Access to a course, from the grant to what lessons teach, through the real gateway. */
await describeTopologies('enrollments', ({ open, lag }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  let staff: string;
  let student: string;
  let author: string;
  let member: string;
  let paid: string;
  let free: string;
  const api = (path: string, options: Parameters<typeof call>[1] = {}) => call(`${system.baseUrl}/api${path}`, options);
  const within = lag === 0 ? 1_000 : patience;

  beforeAll(async () => {
    ({ system, close } = await open());
    const client = await Client.register(system.baseUrl);
    const tokenOf = async (local: string, scope: string) =>
      (await client.tokens(`${local}@lantern.test`, system.password, scope)).access_token;
    staff = await tokenOf(
      'owner',
      'students:read students:write courses:read courses:write curriculum:read curriculum:write lecturers:read',
    );
    author = await tokenOf('owner', 'courses:read courses:write curriculum:write lecturers:read');
    student = await tokenOf('student', 'openid account:read account:write courses:read curriculum:read');
    member = (await api('/account', { token: student })).body.sub;
    const idOf = async (access: string) => (await api(`/courses?access=${access}`)).body.data[0].id;
    free = await idOf('free');
    // Others share the system, and may have bought something for the student.
    const taught = async ({ id }: { id: string }) => (await lessonsOf(id)).some(({ preview }) => !preview);
    for (const course of (await api('/courses?access=paid')).body.data)
      if ((await taught(course)) && !(await reads(course.id)).isOpen) paid ??= course.id;
  }, 400_000);
  afterAll(() => close());

  /** Whether the student reads what the first lesson that is open at once teaches. */
  async function reads(course: string) {
    return { isOpen: (await lessonsOf(course)).some(({ preview, locked }) => !preview && !locked) };
  }
  async function lessonsOf(course: string): Promise<{ preview: boolean; locked: boolean }[]> {
    const { body } = await api(`/courses/${course}/curriculum`, { token: student });
    return body.sections.flatMap((section: { lessons: object[] }) => section.lessons);
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

  test('the lessons of a course stand where the curriculum has them, however it is written', async () => {
    const { id, lessons } = await courseThatWaits();
    const write = async (method: string, path: string, json?: object, headers: Record<string, string> = {}) => {
      const done = await api(`/courses/${id}/${path}`, { method, token: staff, headers, ...(json ? { json } : {}) });
      expect([path, done.status < 300]).toEqual([path, true]);
      return done.body;
    };
    const lesson = async (section_id: string, title: string, position?: number) => {
      const made = await write('POST', 'lessons', { section_id, title, type: 'text', position });
      await write('POST', `lessons/${made.id}/publish`);
      return String(made.id);
    };
    const first = await write('POST', 'sections', { title: 'Before', position: 0 });
    const last = await write('POST', 'sections', {
      title: 'After',
      release: { type: 'after_lesson', lesson_id: lessons[0] },
    });
    await lesson(first.id, 'Zero');
    const waits = await lesson(last.id, 'Three');
    const front = await lesson(last.id, 'Before three', 0);
    await write('POST', 'lessons', { section_id: first.id, title: 'Draft', type: 'text', position: 0 });
    const gone = await write('POST', 'sections', { title: 'Gone' });
    await lesson(gone.id, 'Gone');
    await write('DELETE', `sections/${gone.id}`);
    await write('POST', `lessons/${lessons[1]}/unpublish`);
    await write('PATCH', `lessons/${waits}`, { title: 'Third', required: false });
    const whole = await api(`/courses/${id}/curriculum`, { token: staff });
    const sections: { id: string; lessons: { id: string }[] }[] = whole.body.sections;
    const tree = sections.map((section) => {
      const ids = section.lessons.map((each) => each.id);
      return { id: section.id, lessons: section.id === last.id ? ids.toReversed() : ids };
    });
    await write('PUT', 'curriculum/order', { sections: tree }, { 'if-match': `"${whole.body.version}"` });
    const enroll = () => api('/account/enrollments', { token: student, json: { course_id: id } });
    const { body: enrollment } = await inForce(within, enroll, hasStatus(201));
    const outline = (rows: { id: string; title: string; locked: boolean }[]) =>
      rows.map((row) => [row.id, row.title, row.locked]);
    const taught = async () => {
      const { body } = await api(`/courses/${id}/curriculum`, { token: student });
      return outline(body.sections.flatMap((section: { lessons: [] }) => section.lessons));
    };
    const learnt = async () => {
      const { body } = await api(`/account/enrollments/${enrollment.id}/lessons`, { token: student });
      return outline(body.data.map((row: { state: string }) => ({ ...row, locked: row.state === 'locked' })));
    };
    const same = async () => ({ taught: await taught(), learnt: await learnt() });
    const isSame = (read: { taught: unknown; learnt: unknown }) =>
      JSON.stringify(read.taught) === JSON.stringify(read.learnt);
    const read = await inForce(within, same, isSame);
    expect(read.learnt).toEqual(read.taught);
    expect(read.learnt.map(([, title, locked]) => [title, locked])).toEqual([
      ['Zero', false],
      ['First', false],
      ['Third', true],
      ['Before three', true],
    ]);
    expect(read.learnt[3]?.[0]).toBe(front);
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

  test('a quiz is graded by the service that does not write it; who passes is certified, and anybody verifies that', async () => {
    const send = async (path: string, json: object = {}) => {
      const { status, body } = await api(path, { token: author, json });
      expect([path, status < 300, body.error]).toEqual([path, true, undefined]);
      return body;
    };
    const { data: lecturers } = (await api('/lecturers', { token: author })).body;
    const title = `Certified <${Date.now()}>`;
    const course = await send('/courses', {
      title,
      certificate: true,
      access: 'free',
      lecturer_ids: [lecturers[0].id],
    });
    const at = `/courses/${course.id}`;
    const section = await send(`${at}/sections`, { title: 'All of it' });
    const choices = [
      { id: 'a', text: 'This' },
      { id: 'b', text: 'That' },
    ];
    const quiz = { max_attempts: 3, questions: [{ id: 'q1', prompt: 'Which?', choices, answers: ['b'] }] };
    const lesson = await send(`${at}/lessons`, {
      section_id: section.id,
      title: 'Exam',
      type: 'quiz',
      quiz,
      pass_mark: 100,
    });
    await send(`${at}/lessons/${lesson.id}/publish`);
    await send(`${at}/publish`);
    const enroll = () => api('/account/enrollments', { token: student, json: { course_id: course.id } });
    const made = await inForce(within, enroll, hasStatus(201));
    const read = async () => (await api(`${at}/lessons/${lesson.id}`, { token: student })).body;
    const shown = await inForce(within, read, ({ quiz: seen }) => seen !== undefined);
    expect(shown.quiz.questions[0]).toEqual({ id: 'q1', prompt: 'Which?', choices });

    const own = `/account/enrollments/${made.body.id}`;
    const attempt = (choice: string) =>
      api(`${own}/lessons/${lesson.id}/attempts`, { token: student, json: { answers: { q1: [choice] } } });
    const failed = await inForce(within, () => attempt('a'), hasStatus(201));
    expect(failed.body).toMatchObject({ score: 0, passed: false, questions: [{ id: 'q1', chosen: ['a'] }] });
    expect((await attempt('b')).body).toMatchObject({ score: 100, passed: true });
    const done = await inForce(
      patience,
      async () => (await api(own, { token: student })).body,
      ({ certificate_id }) => certificate_id !== null,
    );
    expect(done).toMatchObject({ progress: { percent: 100 }, certificate_id: expect.any(String) });
    const listed = await inForce(
      within,
      async () => (await api('/account/certificates', { token: student })).body.data,
      (data) => data.length > 0,
    );
    const [{ code, url }] = listed;
    const verified = await call(system.baseUrl + url);
    expect(verified.body).toMatchObject({ code, course_title: title, valid: true });
    const page = await fetch(system.baseUrl + url, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain(title.replace('<', '&lt;').replace('>', '&gt;'));
  });
});
