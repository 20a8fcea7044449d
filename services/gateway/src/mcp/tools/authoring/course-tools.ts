import { z } from 'zod';
import { successBody } from '../api-result.ts';
import type { ApiReply } from '../../../upstream/school-api.ts';
import { courseUrl } from '../reading/course-summary.ts';
import type { Confirmation } from '../confirmation.ts';
import type { CallContext } from '../../server/server-definition.ts';
import { tool } from '../tool.ts';
import { courseFields } from './course-fields.ts';
import { consistencyToken, idempotencyKey, idempotencyHeader, loadCourse } from './authoring-access.ts';

const output = z.strictObject({
  course: z.looseObject({ id: z.string(), slug: z.string(), url: z.string() }),
  version: z.int().meta({ description: 'Of the course after the change' }),
  consistency_token: consistencyToken,
});

const written = (reply: ApiReply, { caller: { school } }: CallContext, what: string) => {
  const course = successBody(reply, what);
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
    async run(input, call, context) {
      const headers = idempotencyHeader(input.idempotency_key);
      if (input.id === undefined) {
        const created = await call.api('/api/courses', { method: 'POST', json: input.fields, headers });
        return written(created, call, 'The new course');
      }
      const course = await loadCourse(input.id, call);
      const names = Object.keys(input.fields).join(', ');
      const question = `Change ${names} of the course “${String(course['title'])}”?`;
      const pending = await confirmation.ask(input, question, call, context);
      if (pending) return pending;
      const path = `/api/courses/${course.id}`;
      return written(await call.api(path, { method: 'PATCH', json: input.fields, headers }), call, 'The course');
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
  async run({ id, idempotency_key: key }, call) {
    const course = await loadCourse(id, call);
    const path = `/api/courses/${course.id}/publish`;
    const published = await call.api(path, { method: 'POST', headers: idempotencyHeader(key) });
    return written(published, call, 'The course');
  },
});
