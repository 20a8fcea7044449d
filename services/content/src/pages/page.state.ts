import { type EventContext, type Named, type Recorded, named, recording, renamed, unrecorded } from '@lyceum/kernel';
import { publicationAfter } from '../publication/publication.fold.ts';
import { type Publication, drafted, redrafted } from '../publication/publication.state.ts';
import type { Block } from './page.blocks.ts';
import type { PageEvent, StoredPageContent, pageKinds } from './page.events.ts';

/** What a page says. Images are ids of files, or addresses elsewhere. */
export interface PageContent {
  readonly title: string;
  readonly blocks: readonly Block[];
  readonly seo: StoredPageContent['seo'];
}

/** What a page is for. */
export type PageKind = (typeof pageKinds)[number];

/** A page as its events tell it. */
export interface Page extends Publication<PageContent>, Named, Recorded {
  readonly id: string;
  readonly kind: PageKind;
  readonly created_by: string;
}

/** A page; null = there is none. */
export type PageState = Page | null;

// The schema of stored events is wider than that of the API: a block of a kind that is unknown is kept, and shown by nothing.
const contentOf = (stored: StoredPageContent): PageContent => stored as unknown as PageContent;

/** Folds an event, but for times and version, which only the log knows. */
export function apply(state: PageState, event: PageEvent, { at }: Pick<EventContext, 'at'>): PageState {
  if (event.type === 'PageCreated') {
    const { page_id: id, slug, kind, content, created_by } = event.data;
    return { id, kind, ...drafted(contentOf(content)), ...named(slug), created_by, ...unrecorded };
  }
  if (!state) return state;
  switch (event.type) {
    case 'PageDraftSaved':
      return redrafted(state, contentOf(event.data.content));
    case 'PageSlugChanged':
      return renamed(state, event.data.slug);
    case 'PageScheduled':
    case 'PageUnscheduled':
    case 'PagePublished':
    case 'PageUnpublished':
    case 'PageArchived':
      return publicationAfter('Page', state, event, at);
    case 'PageDeleted':
      return null;
    case 'PageShown':
    case 'FileReferenced':
    case 'FileReleased':
      return state;
  }
}

/** Folds an event as the log recorded it. */
export const evolve = recording<Page, PageEvent>(apply, { created: 'PageCreated', published: 'PagePublished' });
