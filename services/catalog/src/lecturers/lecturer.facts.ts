import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { lecturerEvents } from './lecturer.events.ts';

/** What other services hear of a lecturer: whether the profile is still there to be named, and nothing of what it says. */
export function lecturerFact(recorded: RecordedEvent): FactOf<'catalog'> | undefined {
  if (!recorded.stream.startsWith('lecturer_')) return undefined;
  const { type } = upcast(lecturerEvents, recorded);
  switch (type) {
    case 'LecturerArchived':
    case 'LecturerRestored':
    case 'LecturerRemoved':
      return { type, data: { lecturer_id: recorded.stream } };
    default:
      return undefined;
  }
}
