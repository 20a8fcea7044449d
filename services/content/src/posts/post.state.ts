import { type EventContext, type Named, type Recorded, named, recording, renamed, unrecorded } from '@lyceum/kernel';
import { publicationAfter } from '../publication/publication.fold.ts';
import { type Publication, drafted, redrafted } from '../publication/publication.state.ts';
import type { PostContent, PostEvent } from './post.events.ts';

/** A post as its events tell it. */
export interface Post extends Publication<PostContent>, Named, Recorded {
  readonly id: string;
  /** It stands before those that are not. */
  readonly pinned: boolean;
  readonly comments_enabled: boolean;
  readonly created_by: string;
}

/** A post; null = there is none. */
export type PostState = Post | null;

/** Folds an event, but for times and version, which only the log knows. */
export function apply(state: PostState, event: PostEvent, { at }: Pick<EventContext, 'at'>): PostState {
  if (event.type === 'PostCreated') {
    const { post_id: id, slug, content, comments_enabled, created_by } = event.data;
    return { id, ...drafted(content), ...named(slug), pinned: false, comments_enabled, created_by, ...unrecorded };
  }
  if (!state) return state;
  switch (event.type) {
    case 'PostChanged':
      return redrafted(state, event.data.content);
    case 'PostSlugChanged':
      return renamed(state, event.data.slug);
    case 'PostCommentsSet':
      return { ...state, comments_enabled: event.data.enabled };
    case 'PostPinned':
      return { ...state, pinned: true };
    case 'PostUnpinned':
      return { ...state, pinned: false };
    case 'PostScheduled':
    case 'PostUnscheduled':
    case 'PostPublished':
    case 'PostUnpublished':
    case 'PostArchived':
      return publicationAfter('Post', state, event, at);
    case 'PostDeleted':
      return null;
    case 'PostShown':
    case 'FileReferenced':
    case 'FileReleased':
      return state;
  }
}

/** Folds an event as the log recorded it. */
export const evolve = recording<Post, PostEvent>(apply, { created: 'PostCreated', published: 'PostPublished' });
