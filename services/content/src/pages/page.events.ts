import { fileReferenceEvents } from '@lyceum/contracts';
import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';
import type { Block } from './page.blocks.ts';

const nothing = z.object({});

/** What pages are for. Every school has a home page, its terms and its privacy policy. */
export const pageKinds = ['home', 'terms', 'privacy', 'custom', 'product'] as const;

/** The kinds of blocks that this release knows. */
export const blockKinds: readonly Block['kind'][] = [
  'hero',
  'text',
  'image',
  'video',
  'course_grid',
  'pricing',
  'faq',
  'html_safe',
  'form',
];

/** What a page says, as it is stored: the API asks for more. A block of a later release has a kind that this one does not know. */
const content = z.object({
  title: z.string(),
  blocks: z.array(z.looseObject({ kind: z.string() })),
  seo: z.object({
    title: z.string().nullable(),
    description: z.string().nullable(),
    /** The id of a file, or an address elsewhere. */
    image: z.string().nullable(),
    noindex: z.boolean(),
  }),
});

/** What others may know of a page that is public. */
const shown = { slug: z.string(), title: z.string(), noindex: z.boolean() };

/** The events of a page, in the stream named after its id. */
export const pageEvents = {
  PageCreated: {
    version: 1,
    data: z.object({ page_id: z.string(), slug: z.string(), kind: z.enum(pageKinds), content, created_by: z.string() }),
  },
  PageDraftSaved: { version: 1, data: z.object({ content }) },
  PageSlugChanged: { version: 1, data: z.object({ slug: z.string() }) },
  PageScheduled: { version: 1, data: z.object({ scheduled_for: z.string() }) },
  PageUnscheduled: { version: 1, data: nothing },
  /** The draft is public, as a revision; with `of` the content of that revision again. */
  PagePublished: {
    version: 1,
    data: z.object({ revision: z.number().int(), of: z.number().int().optional(), ...shown }),
  },
  /** What others may know of it is different while it is public. */
  PageShown: { version: 1, data: z.object(shown) },
  PageUnpublished: { version: 1, data: nothing },
  PageArchived: { version: 1, data: nothing },
  PageDeleted: { version: 1, data: nothing },
  ...fileReferenceEvents,
} as const satisfies EventTypes;

/** What a page says, as it is stored. */
export type StoredPageContent = z.output<typeof content>;

/** An event of a page. */
export type PageEvent = EventOf<typeof pageEvents>;
