import { z } from 'zod';
import { okay } from '../api-result.ts';
import type { ApiReply } from '../../../upstream/school-api.ts';
import { courseUrl } from '../reading/course-summary.ts';
import type { Confirmation } from '../confirmation.ts';
import type { Visit } from '../../server/server-definition.ts';
import { tool } from '../tool.ts';
import { courseFields } from './course-fields.ts';
import { consistencyToken, idempotencyKey, keyed, reach } from './authoring-access.ts';

const output = z.strictObject({
  course: z.looseObject({ id: z.string(), slug: z.string(), url: z.string() }),
  version: z.int().meta({ description: 'Of the course after the change' }),
  consistency_token: consistencyToken,
});

const written = (reply: ApiReply, { caller: { school } }: Visit, what: string) => {
  const course = okay(reply, what);
  return {
    data: {
      course: { ...course, url: courseUrl(course, school) },
      version: Number(course['version']),
      consistency_token: reply.header('consistency-token') ?? null,
    },
  };
};

/** Creates a course, or changes the one that is named. */
export const upsertCourse = (confirmation: Confirmation) =>
  tool({
    name: 'upsert_course',
    title: 'Create or change a course',
    description:
      'Without id: creates a draft. With id: changes what `fields` name, after the person has agreed. The same idempotency_key never writes twice.',
    input: z.strictObject({
      id: z.string().min(1).max(300).optional().meta({ description: 'Id, slug or URL; left out for a new course' }),
      fields: courseFields,
      idempotency_key: idempotencyKey,
      confirm: z.boolean().optional().meta({ description: 'true: the person has agreed; asked for by the tool' }),
    }),
    output,
    scopes: ['courses:read', 'courses:write'],
    isForTokens: true,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    async run(input, visit, context) {
      const headers = keyed(input.idempotency_key);
      if (input.id === undefined) {
        const created = await visit.api('/api/courses', { method: 'POST', json: input.fields, headers });
        return written(created, visit, 'The new course');
      }
      const course = await reach(input.id, visit);
      const names = Object.keys(input.fields).join(', ');
      const question = `Change ${names} of the course “${String(course['title'])}”?`;
      const pending = await confirmation.ask(input, question, visit, context);
      if (pending) return pending;
      const path = `/api/courses/${course.id}`;
      return written(await visit.api(path, { method: 'PATCH', json: input.fields, headers }), visit, 'The course');
    },
  });

/** Makes a course public. */
export const publishCourse = tool({
  name: 'publish_course',
  title: 'Publish a course',
  description:
    'Makes a complete draft public. Where something is missing, the answer names it and the tool that adds it. It can be taken back.',
  input: z.strictObject({ id: z.string().min(1).max(300), idempotency_key: idempotencyKey }),
  output,
  scopes: ['courses:read', 'courses:write'],
  isForTokens: true,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ id, idempotency_key: key }, visit) {
    const course = await reach(id, visit);
    const path = `/api/courses/${course.id}/publish`;
    const published = await visit.api(path, { method: 'POST', headers: keyed(key) });
    return written(published, visit, 'The course');
  },
});
