import { paragraph } from '@lyceum/contracts';
import { membersOf, paramsOf, staff } from '@lyceum/service';
import { z } from 'zod';
import { hostId, hostTypes } from '../../hosts/host.ts';
import { spamSigns } from '../../spam/spam.ts';
import { moderationActions } from '../comment.ts';
import { commentStates } from '../comment.state.ts';

const { first, last } = membersOf('comment', 'comment');
const member = { sees: 'member' } as const;

const commentId = z.string().regex(/^comment_[0-9a-f-]{36}$/, 'must be the id of a comment');

/** A comment of a path. */
export const commentParams = paramsOf('comment', false);

const body = paragraph(5_000)
  .refine((text) => text !== '', 'must say something')
  .meta({ minLength: 1 });

const host = z
  .object({ type: z.enum(hostTypes), id: z.string() })
  .meta({ id: 'CommentHost', description: 'What it is about.' });

/** Why a member reports a comment. */
const reportReasons = ['spam', 'insult', 'off_topic', 'illegal', 'other'] as const;

/** A comment as clients read it, in lists too. */
export const commentReply = z
  .object({
    ...first,
    host,
    parent_id: z.string().nullable().meta({ description: 'The comment that it answers; null = none.' }),
    author: z
      .object({ name: z.string().nullable(), avatar: z.string().nullable() })
      .nullable()
      .meta({ description: 'Null where nobody is behind it any more.' }),
    body: z.string().nullable().meta({ description: 'Plain text; null = it was deleted, and its place is kept.' }),
    state: z.enum(commentStates).meta({ description: 'pending = it waits for the staff, and its author sees it.' }),
    edited_at: z.iso.datetime().nullable(),
    like_count: z.int().min(0),
    liked: z.boolean().meta({ ...member, description: 'Whether you like it.' }),
    mine: z.boolean().meta({ ...member, description: 'Whether you wrote it.' }),
    author_id: z.string().meta(staff),
    reports: z
      .array(z.object({ member_id: z.string(), reason: z.string(), at: z.iso.datetime() }))
      .meta({ ...staff, description: 'The first 20.' }),
    moderation_log: z
      .array(
        z.object({
          action: z.enum([...moderationActions, 'hold']),
          by: z.string().nullable().meta({ description: 'Null = so many members reported it.' }),
          at: z.iso.datetime(),
        }),
      )
      .meta(staff),
    spam_score: z.int().min(0).max(100).meta(staff),
    spam_signs: z.array(z.enum(spamSigns)).meta(staff),
    ip_hash: z.string().meta({
      ...staff,
      description: 'The same for what came from one address. The address is kept nowhere.',
    }),
    ...last,
  })
  .meta({ id: 'Comment', description: 'What a member wrote about a post, a lesson or a course.' });

/** A comment as its author reads it. */
export const ownComment = commentReply
  .pick({
    id: true,
    object: true,
    host: true,
    parent_id: true,
    body: true,
    state: true,
    edited_at: true,
    like_count: true,
    created_at: true,
    updated_at: true,
    version: true,
  })
  .meta({ id: 'OwnComment', description: 'Something that the person said.' });

/** The body that posts a comment. */
export const postCommentBody = z
  .strictObject({
    host: hostId.meta({ description: 'Id of the post, the lesson or the course that it is about.' }),
    parent_id: commentId
      .nullable()
      .default(null)
      .meta({ description: 'The comment that it answers: one that answers none.' }),
    body,
  })
  .meta({
    id: 'PostComment',
    description: 'What somebody has to say about something.',
    example: { host: 'course_0195a3c2-7d10-7abc-8def-0123456789ab', body: 'How thick is the paper?' },
  });

/** The body that changes a comment. */
export const editCommentBody = z
  .strictObject({ body })
  .meta({ id: 'EditComment', description: 'What it says from now on.', example: { body: 'How thick is your paper?' } });

/** The body that reports a comment. */
export const reportCommentBody = z
  .strictObject({ reason: z.enum(reportReasons) })
  .meta({ id: 'ReportComment', description: 'Why the staff should look at it.', example: { reason: 'spam' } });

/** The body that decides about a comment. */
export const moderateCommentBody = z
  .strictObject({ action: z.enum(moderationActions) })
  .meta({ id: 'ModerateComment', description: 'What becomes of it.', example: { action: 'approve' } });
