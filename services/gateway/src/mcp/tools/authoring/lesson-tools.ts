import { z } from 'zod';
import { successBody } from '../api-result.ts';
import type { ApiReply, ApiRequest } from '../../../upstream/school-api.ts';
import type { Confirmation } from '../confirmation.ts';
import type { CallContext } from '../../server/server-definition.ts';
import { tool } from '../tool.ts';
import { richTextInput } from './course-fields.ts';
import { consistencyToken, idempotencyKey, idempotencyHeader, loadCourse } from './authoring-access.ts';

const course = z.string().min(1).max(300).meta({ description: 'Id, slug or URL of the course' });
const part = z.string().regex(/^[\w-]{1,64}$/);
const position = z.int().min(0).max(1_000).optional().meta({ description: 'From 0, of a new one; left out: the end' });
const confirm = z.boolean().optional().meta({ description: 'true: the person has agreed; asked for by the tool' });
const title = z.string().min(1).max(200).optional().meta({ description: 'A new one needs it' });

const release = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('immediate') }),
    z.strictObject({ type: z.literal('after_days'), days: z.int().min(1).max(3_650) }),
    z.strictObject({ type: z.literal('at'), time: z.iso.datetime() }),
    z.strictObject({ type: z.literal('after_lesson'), lesson_id: part }),
  ])
  .optional()
  .meta({ description: 'When it opens: at once, days after access began, at a time, or after an earlier lesson' });

const written = z.strictObject({
  version: z.int().meta({ description: 'Of the curriculum after the change' }),
  consistency_token: consistencyToken,
});
const scopes = ['courses:read', 'curriculum:read', 'curriculum:write'] as const;
const annotations = { readOnlyHint: false, idempotentHint: true, openWorldHint: false } as const;

/** What a tool says of itself that creates or changes a part of a course. */
const changing = { scopes, isForTokens: true, annotations: { ...annotations, destructiveHint: true } } as const;
/** What it is given besides. */
const cursors = { position, idempotency_key: idempotencyKey, confirm };

const where = 'get_course with include: ["curriculum"] gives the ids of sections and lessons.';

const given = (name: string, reply: ApiReply) => {
  const body = successBody(reply, `The ${name}`, where);
  const token = reply.header('consistency-token') ?? null;
  return { data: { [name]: body, version: Number(body['version']), consistency_token: token } };
};

/** Asks an operation on the curriculum of a course that is named in any way. */
async function ask(of: string, path: string, request: ApiRequest, call: CallContext): Promise<ApiReply> {
  const { id } = await loadCourse(of, call);
  return call.api(`/api/courses/${id}/${path}`, request);
}

/** Creates a section of a course, or changes the one that is named. */
export const upsertSection = (confirmation: Confirmation) =>
  tool({
    name: 'upsert_section',
    title: 'Create or change a section',
    description:
      'Sections hold the lessons of a course. Without id: adds one. With id: changes it, after the person has agreed.',
    input: z.strictObject({
      course,
      id: part.optional(),
      title,
      release,
      ...cursors,
    }),
    output: written.extend({ section: z.looseObject({ id: z.string() }) }),
    ...changing,
    async run(input, call, context) {
      const { course: of, id, position: at, idempotency_key, confirm: _agreed, ...fields } = input;
      const headers = idempotencyHeader(idempotency_key);
      if (id === undefined)
        return given(
          'section',
          await ask(of, 'sections', { method: 'POST', json: { ...fields, position: at }, headers }, call),
        );
      const pending = await confirmation.ask(input, `Change the section ${id}?`, call, context);
      if (pending) return pending;
      return given('section', await ask(of, `sections/${id}`, { method: 'PATCH', json: fields, headers }, call));
    },
  });

const lessonFields = z.strictObject({
  title,
  type: z.enum(['video', 'audio', 'text', 'pdf', 'file', 'embed', 'quiz', 'live']).optional(),
  duration_s: z.int().min(0).optional().meta({ description: 'Seconds' }),
  preview: z.boolean().optional().meta({ description: 'Whether everybody may read it' }),
  required: z.boolean().optional(),
  pass_mark: z.int().min(0).max(100).nullable().optional(),
  release,
  body: richTextInput.optional(),
  embed_url: z.url().nullable().optional(),
  quiz: z
    .looseObject({ questions: z.array(z.looseObject({})) })
    .nullable()
    .optional()
    .meta({
      description: 'questions: id, prompt, choices [{id, text}], answers [ids]; max_attempts',
    }),
});

/** Creates a lesson of a course, or changes the one that is named. */
export const upsertLesson = (confirmation: Confirmation) =>
  tool({
    name: 'upsert_lesson',
    title: 'Create or change a lesson',
    description:
      'Without id: adds a draft to the section `section_id`; publish_lesson publishes it. With id: changes what `fields` name, after the person has agreed.',
    input: z.strictObject({
      course,
      id: part.optional(),
      section_id: part.optional().meta({ description: 'Of a new lesson; upsert_section makes one' }),
      fields: lessonFields,
      ...cursors,
    }),
    output: written.extend({ lesson: z.looseObject({ id: z.string() }) }),
    ...changing,
    async run(input, call, context) {
      const { course: of, id, section_id, fields, position: at, idempotency_key } = input;
      const headers = idempotencyHeader(idempotency_key);
      if (id === undefined) {
        const json = { ...fields, section_id, position: at };
        return given('lesson', await ask(of, 'lessons', { method: 'POST', json, headers }, call));
      }
      const question = `Change ${Object.keys(fields).join(', ')} of the lesson ${id}?`;
      const pending = await confirmation.ask(input, question, call, context);
      if (pending) return pending;
      return given('lesson', await ask(of, `lessons/${id}`, { method: 'PATCH', json: fields, headers }, call));
    },
  });

/** Puts a lesson into the outline of its course. */
export const publishLesson = tool({
  name: 'publish_lesson',
  title: 'Publish a lesson',
  description: 'Puts a draft lesson into the outline of its course. A course needs a published lesson to be published.',
  input: z.strictObject({ course, id: part, idempotency_key: idempotencyKey }),
  output: written.extend({ lesson: z.looseObject({ id: z.string() }) }),
  scopes,
  isForTokens: true,
  annotations: { ...annotations, destructiveHint: false },
  async run({ course: of, id, idempotency_key }, call) {
    const request = { method: 'POST', headers: idempotencyHeader(idempotency_key) } as const;
    return given('lesson', await ask(of, `lessons/${id}/publish`, request, call));
  },
});

/** Puts the sections and lessons of a course in order. */
export const orderCurriculum = tool({
  name: 'order_curriculum',
  title: 'Move sections and lessons',
  description:
    'Names every section and every lesson exactly once in the wanted order; lessons may move between sections.',
  input: z.strictObject({
    course,
    sections: z.array(z.strictObject({ id: part, lessons: z.array(part).max(1_000) })).max(200),
    version: z.int().min(0).meta({ description: 'Of the curriculum that was read' }),
    idempotency_key: idempotencyKey,
  }),
  output: written.extend({ curriculum: z.looseObject({}) }),
  scopes,
  isForTokens: true,
  annotations: { ...annotations, destructiveHint: false },
  async run({ course: of, sections, version, idempotency_key }, call) {
    const headers = { ...idempotencyHeader(idempotency_key), 'if-match': `"${version}"` };
    return given('curriculum', await ask(of, 'curriculum/order', { method: 'PUT', json: { sections }, headers }, call));
  },
});
