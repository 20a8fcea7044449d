import { fileReferenceEvents, richText } from '@lyceum/contracts';
import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

const nothing = z.object({});

/** Whom the text of a post is for: everybody, those who are signed in, or those who have a plan. */
export const visibilities = ['public', 'members', 'plans'] as const;

/** What a post says, as it is stored: the API asks for more. */
const content = z.object({
  title: z.string(),
  excerpt: z.string().nullable(),
  /** The id of a file, or an address elsewhere. */
  cover: z.string().nullable(),
  /** The profile of a lecturer. */
  author_id: z.string().nullable(),
  tags: z.array(z.string()),
  visibility: z.enum(visibilities),
  /** Where `visibility` is plans: which; none = every plan that opens posts. */
  plan_ids: z.array(z.string()),
  body: richText,
});

/** What others may know of a post that is public. */
const shown = {
  slug: z.string(),
  title: z.string(),
  visibility: z.string(),
  plan_ids: z.array(z.string()),
  comments_enabled: z.boolean(),
  pinned: z.boolean(),
};

/** The events of a post, in the stream named after its id. */
export const postEvents = {
  PostCreated: {
    version: 1,
    data: z.object({
      post_id: z.string(),
      slug: z.string(),
      content,
      comments_enabled: z.boolean(),
      created_by: z.string(),
    }),
  },
  /** Its draft is another one. */
  PostChanged: { version: 1, data: z.object({ content }) },
  PostSlugChanged: { version: 1, data: z.object({ slug: z.string() }) },
  /** Whether people may comment on it. */
  PostCommentsSet: { version: 1, data: z.object({ enabled: z.boolean() }) },
  PostPinned: { version: 1, data: nothing },
  PostUnpinned: { version: 1, data: nothing },
  PostScheduled: { version: 1, data: z.object({ scheduled_for: z.string() }) },
  PostUnscheduled: { version: 1, data: nothing },
  /** The draft is public, as a revision; with `of` the content of that revision again. */
  PostPublished: {
    version: 1,
    data: z.object({ revision: z.number().int(), of: z.number().int().optional(), ...shown }),
  },
  /** What others may know of it is different while it is public. */
  PostShown: { version: 1, data: z.object(shown) },
  PostUnpublished: { version: 1, data: nothing },
  PostArchived: { version: 1, data: nothing },
  PostDeleted: { version: 1, data: nothing },
  ...fileReferenceEvents,
} as const satisfies EventTypes;

/** What a post says. */
export type PostContent = z.output<typeof content>;

/** An event of a post. */
export type PostEvent = EventOf<typeof postEvents>;
