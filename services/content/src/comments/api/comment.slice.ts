import { type PersonalData, type Slice, aggregate, rowsAbout, streamsOf } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { policyProjection } from '../../comment-policies/comment-policy.ts';
import type { FindPost } from '../../hosts/host.ts';
import { lessonProjection } from '../../hosts/known-lessons.ts';
import type { ContentServicePorts } from '../../ports/content-ports.ts';
import type { ContentSettings } from '../../ports/content-settings.ts';
import { erasingAuthors } from './comment.erasure.ts';
import { commentEvents } from '../comment.events.ts';
import { commentFact } from '../comment.facts.ts';
import { moderateComment } from './comment.moderating.ts';
import { commentReading } from './comment.reading.ts';
import { commentResponding } from './comment.responding.ts';
import { commentOf, commentProjection, comments } from './comment.rows.ts';
import { commentDecider } from '../comment.ts';
import { ownDocument } from './comment.view.ts';
import { commentWriting } from './comment.writing.ts';

/** What a member wrote, deleted comments without what they said. Who reported it, and what was decided, is about others. */
const commentData: PersonalData<Ports> = {
  file: 'comments',
  read: (of, ports, after) =>
    rowsAbout(ports, of, { collection: comments, field: 'author_id' }, after, ({ id, body }) => {
      const { like_count: _others, ...comment } = ownDocument(id, commentOf(body), 0);
      return comment;
    }),
};

/** What members write about posts, lessons and courses. */
export const commentSlice = (findPost: FindPost): Slice<ContentSettings, ContentServicePorts> => ({
  name: 'comments',
  operations({ ask, logger, limits, vault }) {
    const given = { ...(ask ? { ask } : {}), logger, limits, vault, findPost };
    return [...commentReading(given), ...commentWriting(given), ...commentResponding(given), moderateComment(given)];
  },
  events: commentEvents,
  aggregates: [aggregate(streamsOf('comment_'), commentDecider)],
  projections: [commentProjection],
  follows: [
    { source: 'catalog', projection: lessonProjection },
    { source: 'school', projection: policyProjection },
  ],
  toFact: commentFact,
  reactions: [erasingAuthors],
  personalData: [commentData],
});
