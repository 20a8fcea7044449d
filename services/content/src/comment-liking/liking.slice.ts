import { type PersonalData, type Slice, aggregate, rowsAbout, streamsOf } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { likeEvents } from '../comment-likes/like.events.ts';
import { likeDecider } from '../comment-likes/like.ts';
import { likeCountProjection, likeProjection, likedOf, likes } from './liking.ts';

/** Which comments a member likes. */
const likeData: PersonalData<Ports> = {
  file: 'comment-likes',
  read: (of, ports, after) =>
    rowsAbout(ports, of, { collection: likes, field: 'member_id' }, after, ({ body }) => likedOf(body)),
};

/** Who likes which comment. */
export const likeSlice: Slice = {
  name: 'comment-likes',
  operations: [],
  events: likeEvents,
  aggregates: [aggregate(streamsOf('like_'), likeDecider)],
  projections: [likeProjection, likeCountProjection],
  personalData: [likeData],
};
