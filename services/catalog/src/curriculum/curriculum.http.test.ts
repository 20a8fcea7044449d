import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { disagreements } from '@lyceum/web';
import { type Catalog, type Got, type Sent, startCatalog } from '../testing.ts';
import { curriculumStatuses } from './curriculum.write.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.close());

const member: TokenClaims = { role: 'member', subject: 'acc_member', scopes: ['curriculum:read'] };
const lecturer: TokenClaims = { role: 'lecturer', subject: 'acc_lecturer' };
const other: TokenClaims = { role: 'lecturer', subject: 'acc_other' };

/** A course without lessons, and what tests do to it. */
async function course(body: object = {}) {
  const all = { title: 'A course', lecturer_ids: ['lecturer_lecturer'], ...body };
  const made = await catalog.call('POST', '/api/courses', { body: all });
  expect(made.status).toBe(201);
  const at = `/api/courses/${made.body.id}`;
  const call = (method: string, path: string, sent: Sent = {}) => catalog.call(method, at + path, sent);
  const section = async (title = 'A section') =>
    (await call('POST', '/sections', { body: { title } })).body.id as string;
  const lesson = async (section_id: string, more: object = {}): Promise<Got['body']> => {
    const got = await call('POST', '/lessons', { body: { section_id, title: 'A lesson', ...more } });
    expect(got.status).toBe(201);
    return got.body;
  };
  const publish = (id: string) => call('POST', `/lessons/${id}/publish`);
  return { call, section, lesson, publish };
}

const tree = (body: Got['body']) =>
  body.sections.map((section: { id: string; lessons: { id: string }[] }) => ({
    id: section.id,
    lessons: section.lessons.map(({ id }) => id),
  }));

const quiz = {
  max_attempts: 2,
  questions: [
    {
      id: 'q1',
      prompt: 'Which?',
      choices: [
        { id: 'a', text: 'This' },
        { id: 'b', text: 'That' },
      ],
      answers: ['b'],
    },
  ],
};

describe('a curriculum', () => {
  test('rejects with the statuses of the error table', () => expect(disagreements(curriculumStatuses)).toEqual([]));

  test('is empty at first, and grows by sections and lessons at the places that are asked for', async () => {
    const { call, section, lesson } = await course();
    expect((await call('GET', '/curriculum')).body).toMatchObject({ sections: [], lesson_count: 0, version: 0 });
    const [two, one] = [
      await section('Two'),
      (await call('POST', '/sections', { body: { title: 'One', position: 0 } })).body.id,
    ];
    const last = await lesson(two);
    const first = await lesson(two, { position: 0 });
    const { body, headers } = await call('GET', '/curriculum');
    expect(tree(body)).toEqual([
      { id: one, lessons: [] },
      { id: two, lessons: [first.id, last.id] },
    ]);
    expect(headers.get('etag')).toBe('"4"');
  });

  test('a repeated Idempotency-Key adds one section and one lesson', async () => {
    const { call, section } = await course();
    const to = await section();
    const send = () =>
      call('POST', '/lessons', { body: { section_id: to, title: 'Once' }, headers: { 'idempotency-key': to } });
    const [one, again] = [await send(), await send()];
    expect(again.body).toEqual(one.body);
    expect(tree((await call('GET', '/curriculum')).body)).toEqual([{ id: to, lessons: [one.body.id] }]);
  });

  test('counts published lessons and their seconds on the course, in its list and for its readiness', async () => {
    const { call, section, lesson, publish } = await course({ slug: 'counted' });
    const made = await lesson(await section(), { duration_s: 90 });
    expect((await call('POST', '/publish')).body).toMatchObject({
      error: 'not_ready',
      details: [{ code: 'lesson_missing' }],
    });
    await publish(made.id);
    expect((await call('GET', '')).body).toMatchObject({ lesson_count: 1, duration_s: 90 });
    expect((await call('PATCH', `/lessons/${made.id}`, { body: { duration_s: 60 } })).status).toBe(200);
    expect((await call('POST', '/publish')).body).toMatchObject({
      status: 'published',
      lesson_count: 1,
      duration_s: 60,
    });
    await catalog.settled();
    const listed = await catalog.call('GET', '/api/courses?q=a%20course', { as: 'anonymous' });
    expect(listed.body.data).toContainEqual(
      expect.objectContaining({ slug: 'counted', lesson_count: 1, duration_s: 60 }),
    );
  });

  test('409 last_lesson: a published course keeps a published lesson, whichever way it would go', async () => {
    const { call, section, lesson, publish } = await course();
    const to = await section();
    const only = await lesson(to);
    await publish(only.id);
    await call('POST', '/publish');
    for (const [method, path] of [
      ['POST', `/lessons/${only.id}/unpublish`],
      ['DELETE', `/lessons/${only.id}`],
      ['DELETE', `/sections/${to}`],
    ] as const)
      expect(await call(method, path)).toMatchObject({ status: 409, body: { error: 'last_lesson' } });
    const second = await lesson(to);
    await publish(second.id);
    expect((await call('DELETE', `/lessons/${only.id}`)).status).toBe(204);
    await call('POST', '/unpublish');
    expect((await call('POST', `/lessons/${second.id}/unpublish`)).body.status).toBe('draft');
  });
});

describe('If-Match of one lesson or section', () => {
  test('is compared with what was read of it: what happens to others does not get in its way', async () => {
    const { call, section, lesson, publish } = await course();
    const [one, two] = [await section(), await section()];
    const mine = await lesson(one);
    const read = (await call('GET', `/lessons/${mine.id}`)).headers.get('etag')!;
    const other = await lesson(two);
    await publish(other.id);
    const headers = { 'if-match': read };
    expect((await call('PATCH', `/lessons/${mine.id}`, { body: { title: 'Mine' }, headers })).status).toBe(200);
    expect(await call('PATCH', `/lessons/${mine.id}`, { body: { title: 'Again' }, headers })).toMatchObject({
      status: 412,
      body: { error: 'precondition_failed' },
    });
    expect((await call('POST', `/lessons/${mine.id}/publish`, { headers })).status).toBe(412);
    expect((await call('PATCH', `/sections/${one}`, { body: { title: 'One' }, headers })).status).toBe(200);
    expect((await call('PATCH', `/sections/${one}`, { body: { title: 'Uno' }, headers })).status).toBe(412);
    // Whoever deletes a section deletes its lessons as they were read.
    expect((await call('DELETE', `/sections/${two}`, { headers })).status).toBe(412);
    expect((await call('DELETE', `/lessons/${mine.id}`, { headers: { 'if-match': '"999"' } })).status).toBe(412);
    const { version } = (await call('GET', '/curriculum')).body;
    expect((await call('DELETE', `/sections/${two}`, { headers: { 'if-match': `"${version}"` } })).status).toBe(204);
  });

  test('keeps its place while lessons are ordered, and copies begin anew', async () => {
    const { call, section, lesson } = await course();
    const [one, two] = [await section(), await section()];
    const { id, version } = await lesson(one);
    const body = {
      sections: [
        { id: two, lessons: [id] },
        { id: one, lessons: [] },
      ],
    };
    const headers = { 'if-match': `"${version}"` };
    expect((await call('PUT', '/curriculum/order', { body, headers })).status).toBe(200);
    expect((await call('PATCH', `/lessons/${id}`, { body: { title: 'Moved' }, headers })).status).toBe(200);
    const copy = (await call('POST', '/duplicate')).body.id;
    const copied = (await catalog.call('GET', `/api/courses/${copy}/curriculum`)).body;
    expect(JSON.stringify(copied)).not.toContain('"changed"');
    const ofCopy = copied.sections[0].lessons[0].id;
    const sent = { body: { title: 'Copy' }, headers: { 'if-match': `"${copied.version}"` } };
    expect((await catalog.call('PATCH', `/api/courses/${copy}/lessons/${ofCopy}`, sent)).status).toBe(200);
  });
});

describe('the order of a curriculum', () => {
  test('428 without If-Match, 412 with an old one, and the whole tree with the present one', async () => {
    const { call, section, lesson } = await course();
    const [one, two] = [await section(), await section()];
    const [a, b] = [await lesson(one), await lesson(one)];
    const body = {
      sections: [
        { id: two, lessons: [b.id] },
        { id: one, lessons: [a.id] },
      ],
    };
    const send = (headers: Record<string, string>) => call('PUT', '/curriculum/order', { body, headers });
    expect((await send({})).body.error).toBe('precondition_required');
    expect((await send({ 'if-match': '"3"' })).body.error).toBe('precondition_failed');
    expect(tree((await send({ 'if-match': '"4"' })).body)).toEqual(body.sections);
  });

  test('reorder with a missing lesson: 409, no event; so with unknown, repeated or misplaced names', async () => {
    const { call, section, lesson } = await course();
    const one = await section();
    const [a, b] = [(await lesson(one)).id, (await lesson(one)).id];
    for (const sections of [
      [],
      [{ id: one, lessons: [a] }],
      [{ id: one, lessons: [a, b, b] }],
      [{ id: one, lessons: [a, 'lesson_x'] }],
      [{ id: a, lessons: [one, b] }],
    ]) {
      const got = await call('PUT', '/curriculum/order', { body: { sections }, headers: { 'if-match': '"3"' } });
      expect([got.status, got.body.error]).toEqual([409, 'order_mismatch']);
    }
    expect((await call('GET', '/curriculum')).body.version).toBe(3);
  });

  test('409 cycle: nothing waits for a lesson that does not come before it', async () => {
    const { call, section, lesson } = await course();
    const one = await section();
    const a = await lesson(one);
    const after = (lesson_id: string) => ({ release: { type: 'after_lesson', lesson_id } });
    const b = await lesson(one, after(a.id));
    for (const [path, body] of [
      [`/lessons/${a.id}`, after(b.id)],
      [`/lessons/${a.id}`, after(a.id)],
      [`/lessons/${a.id}`, after('lesson_unknown')],
      [`/sections/${one}`, after(a.id)],
    ] as const)
      expect((await call('PATCH', path, { body })).body.error).toBe('cycle');
    const body = { sections: [{ id: one, lessons: [b.id, a.id] }] };
    expect((await call('PUT', '/curriculum/order', { body, headers: { 'if-match': '"3"' } })).body.error).toBe('cycle');
    expect((await call('DELETE', `/lessons/${a.id}`)).body.error).toBe('cycle');
  });
});

describe('who reads what a lesson teaches', () => {
  async function taught(access: 'free' | 'open') {
    const made = await course({ access });
    const to = await made.section();
    const plain = await made.lesson(to, { title: 'Plain', body: 'kept back' });
    const preview = await made.lesson(to, { title: 'Preview', body: 'for all', preview: true, type: 'quiz', quiz });
    await made.lesson(await made.section('Drafts'), { title: 'Hidden draft', preview: true, body: 'draft body' });
    for (const { id } of [plain, preview]) expect((await made.publish(id)).status).toBe(200);
    expect((await made.call('POST', '/publish')).status).toBe(200);
    return { ...made, plain, preview };
  }

  test.each([
    ['anonymous', 'anonymous'],
    ['a member', member],
    ['another lecturer', other],
  ] as const)('%s gets the outline and preview bodies, no draft, no answer to a quiz', async (_, as) => {
    const { call, plain, preview } = await taught('free');
    const { status, body } = await call('GET', '/curriculum', { as });
    expect(status).toBe(200);
    const [section, ...more] = body.sections;
    expect(more).toEqual([]);
    expect(section.lessons).toMatchObject([
      { title: 'Plain', locked: true },
      { title: 'Preview', locked: false },
    ]);
    for (const field of ['body', 'file', 'quiz', 'embed_url', 'status'])
      expect(section.lessons[0]).not.toHaveProperty(field);
    expect(section.lessons[1].quiz.questions[0]).toEqual({
      id: 'q1',
      prompt: 'Which?',
      choices: quiz.questions[0]!.choices,
    });
    expect(JSON.stringify(body)).not.toMatch(/kept back|answers|draft/i);
    expect((await call('GET', `/lessons/${plain.id}`, { as })).body).not.toHaveProperty('body');
    expect((await call('GET', `/lessons/${preview.id}`, { as })).body).toHaveProperty('body');
  });

  test('an open course shows all published lessons to everybody, and its staff see drafts and answers', async () => {
    const { call, preview } = await taught('open');
    const { body } = await call('GET', '/curriculum', { as: 'anonymous' });
    expect(body.sections[0].lessons.every(({ locked }: { locked: boolean }) => !locked)).toBe(true);
    const staff = (await call('GET', '/curriculum', { as: lecturer })).body;
    expect(staff.sections[1].lessons[0]).toMatchObject({ title: 'Hidden draft', status: 'draft' });
    const got = await call('GET', `/lessons/${preview.id}`, { as: lecturer });
    expect(got.body.quiz.questions[0].answers).toEqual(['b']);
    const hidden = `/lessons/${staff.sections[1].lessons[0].id}`;
    expect((await call('GET', hidden, { as: 'anonymous' })).status).toBe(404);
  });

  test('the curriculum of a draft course is 404 for all who may not know of the course', async () => {
    const { call } = await course();
    for (const as of ['anonymous', member, other] as const)
      expect((await call('GET', '/curriculum', { as })).status).toBe(404);
    expect((await call('GET', '/curriculum', { as: lecturer })).status).toBe(200);
  });

  test('only those who may change the course write, and only with the scope', async () => {
    const { call } = await taught('free');
    const body = { title: 'More' };
    expect((await call('POST', '/sections', { body, as: other })).body.error).toBe('access_denied');
    expect((await call('POST', '/sections', { body, as: member })).body.error).toBe('insufficient_scope');
    expect((await call('POST', '/sections', { body, as: 'anonymous' })).body.error).toBe('access_denied');
    expect((await call('POST', '/sections', { body, school: 'school_2' })).status).toBe(404);
    expect((await call('POST', '/sections', { body, as: lecturer })).status).toBe(201);
  });
});

describe('lessons', () => {
  test('422 for an unacceptable quiz, file, release or length', async () => {
    const { call, section } = await course();
    const section_id = await section();
    const [question] = quiz.questions;
    for (const wrong of [
      { quiz: { ...quiz, questions: [{ ...question, answers: ['z'] }] } },
      { quiz: { ...quiz, questions: [question, question] } },
      { file: { file_id: 'f', name: 'x', size: -1, type: 'text/plain' } },
      { release: { type: 'after_days', days: 0 } },
      { release: { type: 'sometime' } },
      { duration_s: -1 },
      { unknown: true },
    ]) {
      const got = await call('POST', '/lessons', { body: { section_id, title: 'x', ...wrong } });
      expect([wrong, got.status]).toEqual([wrong, 422]);
    }
    expect((await call('POST', '/lessons', { body: { section_id: 'none', title: 'x' } })).status).toBe(404);
  });

  test('409 not_ready: a quiz is published with its questions only, and keeps them', async () => {
    const { call, section, lesson, publish } = await course();
    const made = await lesson(await section(), { type: 'quiz' });
    expect((await publish(made.id)).body.error).toBe('not_ready');
    await call('PATCH', `/lessons/${made.id}`, { body: { quiz } });
    expect((await publish(made.id)).status).toBe(200);
    expect((await call('PATCH', `/lessons/${made.id}`, { body: { quiz: null } })).body.error).toBe('not_ready');
  });

  test('other services learn the right answers of a published quiz, and of nothing else', async () => {
    const { call, section, lesson, publish } = await course();
    const to = await section();
    const made = await lesson(to, { type: 'quiz', quiz, pass_mark: 60 });
    const text = await lesson(to, { quiz });
    await publish(text.id);
    const { course_id } = (await call('GET', `/lessons/${made.id}`)).body;
    const asked = (id: string, school = 'school_1') =>
      catalog.started.answer?.({ kind: 'quiz-of-lesson', school, course: course_id, lesson: id });
    expect(await asked(made.id)).toBeNull();
    await publish(made.id);
    const questions = [{ id: 'q1', choices: ['a', 'b'], answers: ['b'] }];
    const given = await asked(made.id);
    expect(given).toEqual({ version: expect.any(Number), pass_mark: 60, max_attempts: 2, questions });
    await lesson(to);
    expect(await asked(made.id)).toEqual(given);
    const { version } = (await call('PATCH', `/lessons/${made.id}`, { body: { quiz: { ...quiz, max_attempts: 3 } } }))
      .body;
    expect(await asked(made.id)).toMatchObject({ version, max_attempts: 3 });
    for (const none of [await asked(text.id), await asked('lesson_none'), await asked(made.id, 'school_2')])
      expect(none).toBeNull();
    await call('POST', `/lessons/${made.id}/unpublish`);
    expect(await asked(made.id)).toBeNull();
  });

  test('are copied with a course, under ids of their own, once', async () => {
    const { call, section, lesson, publish } = await course();
    const to = await section();
    const a = await lesson(to, { duration_s: 5 });
    const b = await lesson(to, { release: { type: 'after_lesson', lesson_id: a.id } });
    await publish(a.id);
    const copy = () => call('POST', '/duplicate', { headers: { 'idempotency-key': to } });
    const { body } = await copy();
    expect(body).toMatchObject({ lesson_count: 1, duration_s: 5 });
    expect((await copy()).body.id).toBe(body.id);
    const [copied] = (await catalog.call('GET', `/api/courses/${body.id}/curriculum`)).body.sections;
    const [first, second] = copied.lessons;
    expect(copied.lessons).toHaveLength(2);
    expect([a.id, b.id]).not.toContain(first.id);
    expect(second).toMatchObject({ status: 'draft', release: { type: 'after_lesson', lesson_id: first.id } });
  });
});
