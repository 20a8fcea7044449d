import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { postEvents } from './post.events.ts';

type Shown = Extract<FactOf<'content'>, { type: 'PostShown' }>['data'];

/** What everybody may know of a post: whether it is pinned, and which plans open it, is the staff's to know. */
const shown = (post_id: string, { slug, title, visibility }: Omit<Shown, 'post_id'>): Shown => ({
  post_id,
  slug,
  title,
  visibility,
});

/** What other services hear of a post. */
export function postFact(recorded: RecordedEvent): FactOf<'content'> | undefined {
  if (!recorded.stream.startsWith('post_')) return undefined;
  const { type, data } = upcast(postEvents, recorded);
  const post_id = recorded.stream;
  switch (type) {
    case 'PostScheduled':
      return { type, data: { post_id, scheduled_for: data.scheduled_for } };
    case 'PostUnscheduled':
      return { type: 'PostScheduled', data: { post_id, scheduled_for: null } };
    case 'PostPublished':
      return { type, data: { ...shown(post_id, data), revision: data.revision } };
    case 'PostShown':
      return { type, data: shown(post_id, data) };
    case 'PostSlugChanged':
    case 'PostCommentsSet':
      return { type: 'PostChanged', data: { post_id } };
    case 'PostCreated':
    case 'PostChanged':
    case 'PostPinned':
    case 'PostUnpinned':
    case 'PostUnpublished':
    case 'PostArchived':
    case 'PostDeleted':
      return { type, data: { post_id } };
    case 'FileReferenced':
    case 'FileReleased':
      return undefined;
  }
}
