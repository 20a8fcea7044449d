import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { pageEvents } from './page.events.ts';

/** What other services hear of a page. */
export function pageFact(recorded: RecordedEvent): FactOf<'content'> | undefined {
  if (!recorded.stream.startsWith('page_')) return undefined;
  const { type, data } = upcast(pageEvents, recorded);
  const page_id = recorded.stream;
  switch (type) {
    case 'PageScheduled':
      return { type, data: { page_id, scheduled_for: data.scheduled_for } };
    case 'PageUnscheduled':
      return { type: 'PageScheduled', data: { page_id, scheduled_for: null } };
    case 'PagePublished': {
      const { of: _repeated, ...shown } = data;
      return { type, data: { page_id, ...shown } };
    }
    case 'PageShown':
      return { type, data: { page_id, ...data } };
    case 'PageCreated':
    case 'PageDraftSaved':
    case 'PageSlugChanged':
    case 'PageUnpublished':
    case 'PageArchived':
    case 'PageDeleted':
      return { type, data: { page_id } };
    case 'FileReferenced':
    case 'FileReleased':
      return undefined;
  }
}
