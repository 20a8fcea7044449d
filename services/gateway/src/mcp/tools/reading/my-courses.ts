import { z } from 'zod';
import type { Json } from '../../../upstream/school-api.ts';
import { rows, successBody } from '../api-result.ts';
import type { ListCursors } from '../list-cursor.ts';
import { signInHint } from '../sign-in-hint.ts';
import { reading, tool } from '../tool.ts';
import { cursor, limit } from './result-fields.ts';

const known = {
  course_id: z.string(),
  state: z.string().meta({
    description:
      'active: there is access now; awaiting_seat: there is once a seat comes; refused: there was none; lapsed: it has ended',
  }),
  expires_at: z.string().nullable(),
  completed_at: z.string().nullable(),
};
const progress = { completed: z.int(), required: z.int(), percent: z.int(), last_activity_at: z.string().nullable() };
const lesson = { id: z.string(), title: z.string(), type: z.string(), duration_s: z.int() };

const course = z.strictObject({
  ...known,
  enrollment_id: z.string(),
  title: z.string().nullable(),
  progress: z.strictObject(progress),
  next_lesson: z.strictObject(lesson).nullable().meta({ description: 'The first that is open and not completed' }),
});

/** What of an enrollment is shown, as the learning service describes it. */
const enrollment = z.object({
  ...known,
  id: z.string(),
  course_title: z.string().nullable(),
  progress: z.object(progress),
  next_lesson: z.object(lesson).nullable(),
});

function courseOf(row: Json): z.output<typeof course> {
  const { id: enrollment_id, course_title: title, ...rest } = enrollment.parse(row);
  return { ...rest, enrollment_id, title };
}

/** What the person learns, how far they have got, and with which lesson they go on. */
export const listMyCourses = (cursors: ListCursors) =>
  tool({
    name: 'list_my_courses',
    title: 'My courses',
    description:
      'The courses of the person who is signed in, newest first: whether there is access, how much is completed, and the next lesson. Without signing in it answers how to sign in.',
    input: z.strictObject({
      state: z.enum(['active', 'awaiting_seat', 'refused', 'lapsed']).optional(),
      limit: limit(50, 20),
      cursor,
    }),
    output: z.strictObject({ items: z.array(course), next_cursor: z.string().nullable() }),
    scopes: ['account:read'],
    isPersonal: true,
    annotations: reading,
    async run({ state, limit: most, cursor: from }, { api, caller }) {
      const { principal, school } = caller;
      if (!principal) return signInHint(caller, 'Sign in to see your courses', ['account:read']);
      const bound = JSON.stringify([school.id, principal.subject, 'list_my_courses', state]);
      const { cursor: inner } = cursors.open(from, bound);
      const reply = await api('/api/account/enrollments', { query: { state, limit: most, cursor: inner } });
      const body = successBody(reply, 'Your courses');
      const next = body['next_cursor'];
      return {
        data: {
          items: rows(body).map(courseOf),
          next_cursor: typeof next === 'string' ? cursors.seal({ cursor: next, skip: 0 }, bound) : null,
        },
      };
    },
  });
