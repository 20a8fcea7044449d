import { z } from 'zod';
import { published } from '../declaration.ts';

const page = z.object({ page_id: z.string() });

/** What everybody may know of a published page. `noindex`: search engines are asked to leave it out. */
const shown = page.extend({ slug: z.string(), title: z.string(), noindex: z.boolean() });

const staff = (means: string) => ({ feed: { scope: 'pages:read', shows: 'staff', means } }) as const;
const everyone = (means: string) =>
  ({ feed: { scope: 'pages:read', shows: 'everyone', means }, offer: 'page' }) as const;

/** What becomes of pages. */
export const pageFacts = {
  PageCreated: published(1, page, staff('There is a new page, a draft')),
  PageDraftSaved: published(1, page, staff('The draft of a page was saved')),
  PageSlugChanged: published(1, page, staff('A page has another slug')),
  PageScheduled: published(
    1,
    page.extend({ scheduled_for: z.string().nullable().meta({ description: 'RFC 3339; null = it was called off' }) }),
    staff('A page is to be published at a time, or no longer'),
  ),
  PagePublished: published(1, shown.extend({ revision: z.number().int() }), everyone('A revision of a page is public')),
  /** A public page has another slug. */
  PageShown: published(1, shown, everyone('A public page looks like this')),
  PageUnpublished: published(1, page, everyone('A page is public no longer')),
  PageArchived: published(1, page, everyone('A page was put away for good')),
  PageDeleted: published(1, page, staff('A page that was never public was deleted')),
} as const;
