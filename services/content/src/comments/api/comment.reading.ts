import type { Condition } from '@lyceum/documents';
import { askFor, heads } from '@lyceum/service';
import {
  type Call,
  type Operation,
  Problem,
  fieldsOf,
  filterConditions,
  given,
  listFilters,
  listOf,
  listReply,
  operation,
  orderOf,
  queryAny,
} from '@lyceum/web';
import { z } from 'zod';
import { likingOf } from '../../comment-liking/liking.ts';
import { type CommentHost, findHost, hostId } from '../../hosts/host.ts';
import { type CommentPorts, commentAnswer, loadComment, shownComments, viewOfComment } from './comment.load.ts';
import { commentOf, comments } from './comment.rows.ts';
import { commentParams, commentReply, ownComment } from './comment.schema.ts';
import { commentStates } from '../comment.state.ts';
import { ownDocument } from './comment.view.ts';

const reading = { area: 'comments', scope: 'comments:read', anonymous: true, method: 'GET', status: 200 } as const;

/** What is given to the operations, beside the ports that all have. */
export type CommentGiven = Pick<CommentPorts, 'ask' | 'logger' | 'findPost'>;

type Alternatives = readonly (readonly Condition[])[];

const owned = z.object({ courses: z.array(z.string()) });

/** Courses that a condition names at once. */
const mostCourses = 100;

const ofAuthor = (call: Pick<Call, 'principal'>): Alternatives =>
  call.principal ? [[{ field: 'author_id', is: call.principal.subject }]] : [];

/** The rows of the whole school that somebody may see: all, those on the own courses, or what they wrote themselves. */
async function rowsOfSchool(ports: CommentPorts, call: Pick<Call, 'school' | 'principal'>): Promise<Alternatives> {
  const { principal, school } = call;
  if (!principal) return [];
  if (heads.includes(principal.role)) return [[]];
  if (principal.role !== 'lecturer') return ofAuthor(call);
  const question = { kind: 'courses-of-lecturer', school, member: principal.subject };
  const answer = await askFor(ports, 'catalog', question, owned);
  const courses = answer?.courses.slice(0, mostCourses) ?? [];
  return [...ofAuthor(call), ...(courses.length === 0 ? [] : [[{ field: 'course_id', in: courses }]])];
}

/** The rows of a host that somebody may see. */
function rowsOfHost(call: Pick<Call, 'principal'>, host: CommentHost | undefined): Alternatives {
  if (!host) return [];
  const ofHost: Condition = { field: 'host_id', is: host.id };
  if (host.manages) return [[ofHost]];
  const isReadable = call.principal ? host.isOpen : host.isPublic;
  if (!isReadable) return [];
  const pending = ofAuthor(call).map((own) => [ofHost, ...own, { field: 'state', in: ['pending', 'spam', 'hidden'] }]);
  return [[ofHost, { field: 'is_listed', is: true }], ...pending];
}

/** Whom a row of the whole school is shown as, without looking for its host: those who run the school see all of it. */
const viewInSchool = ({ principal }: Pick<Call, 'principal'>, author: string) =>
  principal?.subject === author && !heads.includes(principal.role) ? 'member' : 'staff';

const listComments = (asking: CommentGiven): Operation =>
  operation({
    ...reading,
    id: 'listComments',
    path: '/api/comments',
    summary: 'List comments',
    description:
      'Of a post, a lesson or a course, newest first: everybody reads what is public about what is public, members what is about things that they may read, and their own that wait; the staff everything. Without a host owners and admins get those of the whole school, lecturers those on their courses, others their own. Follows writes with a short delay: see Consistency-Token.',
    readModel: comments,
    query: z.strictObject({
      ...listFilters,
      host: hostId.optional().meta({ description: 'Id of a post, a lesson or a course.' }),
      parent_id: z.string().min(1).max(64).optional().meta({ description: 'Answers to this comment.' }),
      author_id: z.string().min(1).max(64).optional().meta({ description: 'For the staff.' }),
      state: z.enum(commentStates).optional(),
      ...fieldsOf(commentReply),
    }),
    reply: listOf(commentReply),
    errors: ['temporarily_unavailable'],
    async handle(call, { log, documents }) {
      const ports = { ...asking, log, documents };
      const sort = orderOf(call.query);
      const { host: id, parent_id, author_id, state } = call.query;
      const host = id === undefined ? undefined : await findHost(call, ports, asking.findPost, id);
      const isStaff = id === undefined || host?.manages === true;
      const visible = id === undefined ? await rowsOfSchool(ports, call) : rowsOfHost(call, host);
      if (visible.length === 0 || (author_id !== undefined && !isStaff))
        return listReply({ items: [], more: false }, () => undefined, sort);
      const asked = [
        ...given(parent_id, (is) => ({ field: 'parent_id', is })),
        ...given(author_id, (is) => ({ field: 'author_id', is })),
        ...given(state, (is) => ({ field: 'state', is })),
        ...filterConditions(call.query),
      ];
      const where = visible.map((each) => [...each, ...asked]);
      const page = await queryAny(documents, comments, call.school, where, { sort, ...call.page });
      const found = page.items.map((row) => {
        const comment = commentOf(row.body);
        const view = host ? viewOfComment(call, host) : viewInSchool(call, comment.author_id);
        return { id: row.id, comment, view };
      });
      const shown = await shownComments(ports, call, found);
      return listReply(page, (_row, index) => shown[index], sort);
    },
  });

const getComment = (asking: CommentGiven): Operation =>
  operation({
    ...reading,
    id: 'getComment',
    path: '/api/comments/{comment}',
    summary: 'Read a comment',
    description: 'As of now.',
    params: commentParams,
    query: z.strictObject(fieldsOf(commentReply)),
    reply: commentReply,
    errors: ['temporarily_unavailable'],
    async handle(call, { log, documents }) {
      const ports = { ...asking, log, documents };
      return commentAnswer(ports, call, await loadComment(ports, call, call.params.comment ?? ''));
    },
  });

const listOwnComments = operation({
  id: 'listOwnComments',
  method: 'GET',
  path: '/api/account/comments',
  area: 'account',
  scope: 'account:read',
  anonymous: false,
  staff: [],
  status: 200,
  summary: 'List your comments',
  description:
    'What you wrote, newest first, but for what is deleted. Follows writes with a short delay: see Consistency-Token.',
  readModel: comments,
  query: z.strictObject({ ...listFilters, host: hostId.optional(), ...fieldsOf(ownComment) }),
  reply: listOf(ownComment),
  async handle(call, { documents }) {
    const sort = orderOf(call.query);
    if (!call.principal) throw new Problem('access_denied');
    const where: readonly Condition[] = [
      { field: 'author_id', is: call.principal.subject },
      { field: 'state', in: commentStates.filter((state) => state !== 'deleted') },
      ...given(call.query.host, (is) => ({ field: 'host_id', is })),
      ...filterConditions(call.query),
    ];
    const page = await documents.query(comments, call.school, { where, sort, ...call.page });
    const ids = page.items.map(({ id }) => id);
    const liking = await likingOf({ documents }, call.school, ids, undefined);
    return listReply(page, ({ id, body }) => ownDocument(id, commentOf(body), liking.countOf(id)), sort);
  },
});

/** What is read of comments. */
export const commentReading = (asking: CommentGiven): readonly Operation[] => [
  listComments(asking),
  getComment(asking),
  listOwnComments,
];
