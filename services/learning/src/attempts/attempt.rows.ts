import { type Collection, type Document, type Projection, rowAs } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { attemptEvents } from './attempt.events.ts';
import { type Attempt, attemptId } from './attempt.ts';

/** The read model behind lists of attempts: each of them for itself. */
export const attempts: Collection = {
  name: 'attempts',
  version: 1,
  fields: { member_id: 'text', enrollment_id: 'text', lesson_id: 'text', created_at: 'text', updated_at: 'text' },
};

/** The attempt of a row. */
export const attemptOf = (row: Document): Attempt => rowAs<Attempt>(row);

/** Keeps every attempt. Of an erased member nothing is kept. */
export const attemptProjection: Projection = {
  collection: attempts,
  key: (event) =>
    event.type === 'QuizAttempted' ? attemptId(event.stream, upcast(attemptEvents, event).data.attempt) : undefined,
  project: (event) => ({ ...upcast(attemptEvents, event).data, created_at: event.at, updated_at: event.at }),
  erase: { documents: { field: 'member_id' } },
};
