import type { Release } from './lesson.fields.ts';

/** What somebody's access to a course amounts to. */
export interface Enrollment {
  /** RFC 3339: when access began. */
  readonly started_at: string;
  /** Ids of the lessons that are completed. */
  readonly completed: ReadonlySet<string>;
}

const day = 86_400_000;

/** Whether something is open to somebody now (RFC 3339). Pure: days count from the start of the access, in UTC. */
export function isReleased(release: Release, { started_at, completed }: Enrollment, now: string): boolean {
  const at = Date.parse(now);
  switch (release.type) {
    case 'immediate':
      return true;
    case 'after_days':
      return at >= Date.parse(started_at) + release.days * day;
    case 'at':
      return at >= Date.parse(release.time);
    case 'after_lesson':
      return completed.has(release.lesson_id);
  }
}
