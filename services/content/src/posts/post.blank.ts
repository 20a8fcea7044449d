import type { PostContent } from './post.events.ts';

/** What a post says of which nothing is said: it is for everybody. */
export const blankPost: PostContent = {
  title: '',
  excerpt: null,
  cover: null,
  author_id: null,
  tags: [],
  visibility: 'public',
  plan_ids: [],
  body: [],
};
