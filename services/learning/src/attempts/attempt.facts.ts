import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { attemptEvents } from './attempt.events.ts';

/** What other services hear of an attempt: how it ended, and nothing of the answers. */
export function attemptFact(recorded: RecordedEvent): FactOf<'learning'> | undefined {
  if (!recorded.stream.startsWith('attempts_')) return undefined;
  const { type, data } = upcast(attemptEvents, recorded);
  const { enrollment_id, member_id, course_id, lesson_id, attempt, score, passed } = data;
  return { type, data: { enrollment_id, member_id, course_id, lesson_id, attempt, score, passed } };
}
