import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { commentEvents } from './comment.events.ts';

/** What other services hear of a comment: who wrote it and where, and nothing of what it says. */
export function commentFact(recorded: RecordedEvent): FactOf<'content'> | undefined {
  if (!recorded.stream.startsWith('comment_')) return undefined;
  const event = upcast(commentEvents, recorded);
  const { host_type, host_id, public: isPublic } = event.data;
  const about = { comment_id: recorded.stream, host_type, host_id, ...(isPublic ? { public: isPublic } : {}) };
  switch (event.type) {
    case 'CommentPosted': {
      const { parent_id, author_id: author_ref, state } = event.data;
      return { type: event.type, data: { ...about, parent_id, author_ref, state } };
    }
    case 'CommentEdited':
      return { type: event.type, data: { ...about, state: event.data.state } };
    case 'CommentReported':
      return { type: event.type, data: { ...about, held: event.data.held } };
    default:
      return { type: event.type, data: about };
  }
}
