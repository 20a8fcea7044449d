import {
  type Call,
  type Operation,
  type Ports,
  Problem,
  accepted,
  attempt,
  operation,
  perMinute,
  refuseBeyond,
} from '@lyceum/web';
import { z } from 'zod';
import { likeDecider, likeStream } from '../../comment-likes/like.ts';
import { isForEverybody } from '../../hosts/host.ts';
import { commentRejections, loadComment } from './comment.load.ts';
import { commentParams, reportCommentBody } from './comment.schema.ts';
import { isGone } from '../comment.state.ts';
import { commentDecider } from '../comment.ts';
import { type WritingGiven, writerOf, writing } from './comment.writing.ts';

/** How often a member may like and report. */
const often = perMinute('comment_responses', 60);

const path = '/api/comments/{comment}';

/** Whether the caller likes a comment. */
const likeReply = z
  .object({
    object: z.literal('comment_like'),
    comment_id: z.string(),
    liked: z.boolean(),
    view: z.enum(['anonymous', 'member', 'staff']),
  })
  .meta({ id: 'CommentLike', description: 'Whether you like a comment.' });

type RespondingCall = Pick<Call, 'school' | 'issuer' | 'principal' | 'at'> & {
  readonly params: { readonly comment?: string };
};

/** The comment of a path, when it stands where the caller reads it. Throws 404 otherwise, 409 without access to the host. */
async function respondedTo(given: WritingGiven, call: RespondingCall, { log, documents }: Ports) {
  const member = writerOf(call);
  refuseBeyond(await given.limits.admit(often, call.school, member));
  const loaded = await loadComment({ ...given, log, documents }, call, call.params.comment ?? '');
  if (loaded.comment.state !== 'visible' || isGone(loaded.comment)) throw new Problem('not_found');
  if (!loaded.host.isOpen) throw new Problem('host_locked');
  return { ...loaded, member };
}

/** An operation that says whether the caller likes a comment. */
const liking = (
  given: WritingGiven,
  said: Pick<Operation, 'id' | 'method' | 'summary' | 'description'>,
  type: 'LikeComment' | 'UnlikeComment',
): Operation =>
  operation({
    ...writing,
    ...said,
    path: `${path}/like`,
    params: commentParams,
    status: 200,
    reply: likeReply,
    async handle(call, ports) {
      const { id: comment_id, member: member_id } = await respondedTo(given, call, ports);
      const stream = likeStream(comment_id, member_id);
      const command = { type, comment_id, member_id };
      const { state: liked, lane, position } = accepted(await attempt(call, ports, likeDecider, stream, command), {});
      const body = { object: 'comment_like', comment_id, liked, view: call.view };
      return { body, observed: { lane, position } };
    },
  });

const reportComment = (given: WritingGiven): Operation =>
  operation({
    ...writing,
    id: 'reportComment',
    method: 'POST',
    path: `${path}/report`,
    summary: 'Report a comment',
    description:
      'To the staff: once for each member, again it changes nothing. When three members have, it waits for the staff before others see it again.',
    params: commentParams,
    body: reportCommentBody,
    status: 204,
    async handle(call, ports) {
      const { id, host, member: member_id } = await respondedTo(given, call, ports);
      const own = { ...given, log: ports.log, documents: ports.documents };
      const isPublic = await isForEverybody(call, own, given.findPost, host);
      const command = { type: 'ReportComment', member_id, reason: call.body.reason, isPublic } as const;
      const { lane, position } = accepted(await attempt(call, ports, commentDecider, id, command), commentRejections);
      return { observed: { lane, position } };
    },
  });

/** What members say about what others wrote. */
export const commentResponding = (given: WritingGiven): readonly Operation[] => [
  liking(
    given,
    {
      id: 'likeComment',
      method: 'POST',
      summary: 'Like a comment',
      description: 'Once for each member: again it changes nothing. `like_count` follows with a short delay.',
    },
    'LikeComment',
  ),
  liking(
    given,
    {
      id: 'unlikeComment',
      method: 'DELETE',
      summary: 'Like a comment no longer',
      description: 'What you did not like stays as it is.',
    },
    'UnlikeComment',
  ),
  reportComment(given),
];
