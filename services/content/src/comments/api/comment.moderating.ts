import { authors } from '@lyceum/service';
import { type Operation, Problem, accepted, attempt, operation, requireScope } from '@lyceum/web';
import { isForEverybody } from '../../hosts/host.ts';
import { type CommentPorts, commentAnswer, commentRejections, loadComment } from './comment.load.ts';
import type { CommentGiven } from './comment.reading.ts';
import { commentParams, commentReply, moderateCommentBody } from './comment.schema.ts';
import { commentDecider } from '../comment.ts';

/** Decides about a comment: whoever changes the post or the course that it is about does. */
export const moderateComment = (given: CommentGiven): Operation =>
  operation({
    area: 'comments',
    anyScope: ['posts:write', 'courses:write'],
    anonymous: false,
    roles: authors,
    id: 'moderateComment',
    method: 'POST',
    path: '/api/comments/{comment}/moderation',
    summary: 'Decide about a comment',
    description:
      'approve = others see it: one that waits, or that was taken for spam. hide and restore one that they see; spam = it was none of their business. On a post this needs posts:write, on a lesson or a course courses:write; lecturers decide about what is on their own ones. Again it changes nothing.',
    params: commentParams,
    body: moderateCommentBody,
    ifMatch: 'accepted',
    status: 200,
    reply: commentReply,
    errors: ['invalid_state', 'not_found', 'temporarily_unavailable'],
    async handle(call, { log, documents }) {
      const ports: CommentPorts = { ...given, log, documents };
      const { id, comment, host } = await loadComment(ports, call, call.params.comment ?? '');
      requireScope(call, comment.host_type === 'post' ? 'posts:write' : 'courses:write');
      if (!host.manages) throw new Problem('access_denied', 'What this comment is about is not yours');
      const isPublic = await isForEverybody(call, ports, given.findPost, host);
      const { action } = call.body;
      const command = { type: 'ModerateComment', action, by: call.meta.actor, isPublic } as const;
      const done = accepted(await attempt(call, { log }, commentDecider, id, command), commentRejections);
      const { state, ...rest } = done;
      if (!state) throw new Error('a command to a comment left none');
      return commentAnswer(ports, call, { ...rest, id, comment: state, host });
    },
  });
