import type { DemoPost } from './demo-posts.ts';

/** Posts of North Quay Music. Some have the slug of a post of the other school. */
export const musicPosts: readonly DemoPost[] = [
  {
    by: 'owner',
    author: 'ines-carvalho',
    at: '2026-08-29T01:00:00.000Z',
    body: {
      slug: 'welcome',
      title: 'Welcome aboard',
      excerpt: 'A room above the ferry office, six shamisen on the wall, and a kettle.',
      tags: ['school'],
      body: `You hear the ferries in every recording we make. We gave up on silence in the first week and began to play in time with the horn.

If you have never held an instrument, begin with the twelve short lessons on reading music. If you have one in a cupboard, take it out, and tell us below what it sounds like today.`,
    },
    next: [
      { do: 'publish', at: '2026-08-30T00:00:00.000Z' },
      { do: 'pin', at: '2026-08-30T00:05:00.000Z' },
    ],
  },
  {
    by: 'lecturer',
    at: '2026-09-24T03:00:00.000Z',
    body: {
      slug: 'tuning-in-humid-weather',
      title: 'Tuning in humid weather',
      excerpt: 'Silk stretches, skin sags. Ten minutes that save an evening.',
      tags: ['tuning', 'strings'],
      visibility: 'members',
      body: `Tune late. Whatever you tune before you have warmed the room and your hands, you will tune again.

Bring the lowest string up past its note and let it fall back. Press the skin lightly with two fingers: if it answers slowly, keep the bridge a little further from the edge today.`,
    },
    next: [{ do: 'publish', at: '2026-09-25T00:00:00.000Z' }],
  },
  {
    by: 'lecturer',
    at: '2026-10-14T02:00:00.000Z',
    body: {
      slug: 'ten-songs-slowly',
      title: 'Ten songs, slowly',
      excerpt: 'Half-tempo recordings of all ten songs.',
      tags: ['practice'],
      visibility: 'plans',
      body: `Play each one three times at half tempo before you look at your own hands. The third time, sing.`,
    },
    next: [{ do: 'publish', at: '2026-10-15T00:00:00.000Z' }],
  },
  {
    by: 'owner',
    at: '2026-11-18T02:00:00.000Z',
    body: { slug: 'spring-term', title: 'Spring term', tags: ['school'], body: 'Dates to come.' },
    next: [],
  },
];
