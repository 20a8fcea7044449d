import {
  type Call,
  type Operation,
  type Ports,
  Problem,
  accepted,
  attempt,
  operation,
  perDay,
  perMinute,
  refuseBeyond,
} from '@lyceum/web';
import { fold } from '@lyceum/eventlog';
import type { ContentPorts } from '../../ports/content-ports.ts';
import { addressHash } from '../../spam/visitor-address.ts';
import { type CommentHost, findHost, isForEverybody } from '../../hosts/host.ts';
import { judgeComment } from './comment.judging.ts';
import { type CommentPorts, commentAnswer, commentRejections, loadComment } from './comment.load.ts';
import type { CommentGiven } from './comment.reading.ts';
import { commentParams, commentReply, editCommentBody, postCommentBody } from './comment.schema.ts';
import { isGone } from '../comment.state.ts';
import { commentDecider } from '../comment.ts';

/** How often a member may write. */
const [often, aDay] = [perMinute('comments', 5), perDay('comments_of_day', 200)];

/** What is given to the operations that write. */
export type WritingGiven = CommentGiven & Pick<ContentPorts, 'limits' | 'vault'>;

/** What a member does to comments needs: to act as themselves. */
export const writing = {
  area: 'comments',
  scope: 'account:write',
  anonymous: false,
  staff: [],
  errors: ['comments_closed', 'host_locked', 'invalid_state', 'not_found', 'rate_limited', 'temporarily_unavailable'],
} as const;

const path = '/api/comments';

/** The member who writes. */
export function writerOf({ principal }: Pick<Call, 'principal'>): string {
  if (!principal) throw new Problem('access_denied');
  return principal.subject;
}

async function refuseMany({ limits }: Pick<WritingGiven, 'limits'>, school: string, member: string): Promise<void> {
  refuseBeyond(await limits.admit(often, school, member));
  refuseBeyond(await limits.admit(aDay, school, member));
}

/** The host, open to the caller and to comments. Throws the problem when it is not. */
function openHost(host: CommentHost | undefined): CommentHost {
  if (!host) throw new Problem('not_found');
  if (!host.isOpen) throw new Problem('host_locked');
  if (host.isClosed) throw new Problem('comments_closed');
  return host;
}

/** Refuses an answer to something else than a comment that stands on the same host and answers none itself. */
async function refuseParent(ports: Pick<Ports, 'log'>, school: string, host: string, parent: string | null) {
  if (parent === null) return;
  const { state } = await fold(ports.log, commentDecider, school, parent);
  const isAnswerable = state?.host_id === host && state.state === 'visible' && !isGone(state);
  if (isAnswerable && state.parent_id === null) return;
  const detail = isAnswerable
    ? { code: 'not_top_level', message: 'must be a comment that answers none' }
    : { code: 'unknown_comment', message: 'must be a comment on the same thing' };
  throw new Problem('validation_failed', 'There is no such comment to answer', {
    details: [{ path: 'parent_id', ...detail }],
  });
}

const portsOf = (given: WritingGiven, { log, documents }: Pick<Ports, 'log' | 'documents'>): CommentPorts => ({
  ...given,
  log,
  documents,
});

const postComment = (given: WritingGiven): Operation =>
  operation({
    ...writing,
    id: 'postComment',
    method: 'POST',
    path,
    summary: 'Comment on something',
    description:
      'On a post, a lesson or a course that you may read, or as an answer to a comment on it: plain text. As the school has it, it waits for the staff before others see it. At most 5 in a minute, 200 in a day.',
    body: postCommentBody,
    status: 201,
    reply: commentReply,
    async handle(call, ports) {
      const own = portsOf(given, ports);
      const member = writerOf(call);
      await refuseMany(given, call.school, member);
      const { host: id, parent_id, body } = call.body;
      const host = openHost(await findHost(call, own, given.findPost, id));
      await refuseParent(ports, call.school, id, parent_id);
      const { manages } = host;
      const judged = await judgeComment(ports, { school: call.school, member, manages }, body);
      const comment = {
        host_type: host.type,
        host_id: id,
        course_id: host.course_id,
        parent_id,
        author_id: member,
        body,
        ip_hash: await addressHash(given.vault, call.school, call.address),
        ...judged,
      };
      const stream = ports.ids.next('comment');
      const isPublic = await isForEverybody(call, own, given.findPost, host);
      const command = { type: 'PostComment', comment, isPublic } as const;
      const { state, ...done } = accepted(
        await attempt(call, ports, commentDecider, stream, command),
        commentRejections,
      );
      if (!state) throw new Error('a command to a comment left none');
      const answer = await commentAnswer(own, call, { ...done, id: done.stream, comment: state, host });
      return { ...answer, headers: { Location: `${path}/${done.stream}` } };
    },
  });

/** The comment of a path, when the caller wrote it. Throws 403 for one that others wrote, 404 where there is none. */
async function ownComment(
  own: CommentPorts,
  call: Pick<Call, 'school' | 'issuer' | 'principal' | 'at'>,
  id: string | undefined,
) {
  const loaded = await loadComment(own, call, id ?? '');
  if (loaded.comment.author_id !== writerOf(call))
    throw new Problem('access_denied', 'Only those who wrote a comment change it');
  return loaded;
}

const editComment = (given: WritingGiven): Operation =>
  operation({
    ...writing,
    id: 'editComment',
    method: 'PATCH',
    path: `${path}/{comment}`,
    summary: 'Change your comment',
    description: 'For 15 minutes, as long as the staff has not taken it away. It is judged anew.',
    params: commentParams,
    body: editCommentBody,
    ifMatch: 'accepted',
    status: 200,
    reply: commentReply,
    async handle(call, ports) {
      const own = portsOf(given, ports);
      const member = writerOf(call);
      await refuseMany(given, call.school, member);
      const { id, host, comment } = await ownComment(own, call, call.params.comment);
      openHost(host);
      const { body } = call.body;
      const writer = { school: call.school, member, manages: host.manages };
      const judged =
        body === comment.body
          ? { state: 'visible' as const, spam_score: 0, spam_signs: [] }
          : await judgeComment(ports, writer, body);
      const isPublic = await isForEverybody(call, own, given.findPost, host);
      const command = { type: 'EditComment', edit: { body, ...judged }, now: call.at, isPublic } as const;
      const { state, ...done } = accepted(await attempt(call, ports, commentDecider, id, command), commentRejections);
      if (!state) throw new Error('a command to a comment left none');
      return commentAnswer(own, call, { ...done, id, comment: state, host });
    },
  });

const deleteComment = (given: WritingGiven): Operation =>
  operation({
    ...writing,
    id: 'deleteComment',
    method: 'DELETE',
    path: `${path}/{comment}`,
    summary: 'Delete your comment',
    description: 'What it says is gone for everybody; answers to it stay, and its place among them.',
    params: commentParams,
    ifMatch: 'accepted',
    status: 204,
    async handle(call, ports) {
      const own = portsOf(given, ports);
      const { id, host } = await ownComment(own, call, call.params.comment);
      const isPublic = await isForEverybody(call, own, given.findPost, host);
      const command = { type: 'DeleteComment', by: writerOf(call), isPublic } as const;
      const { lane, position } = accepted(await attempt(call, ports, commentDecider, id, command), commentRejections);
      return { observed: { lane, position } };
    },
  });

/** What members write. */
export const commentWriting = (given: WritingGiven): readonly Operation[] => [
  postComment(given),
  editComment(given),
  deleteComment(given),
];
