import { type EventContext, type Named, type Recorded, named, renamed, unrecorded } from '@lyceum/kernel';
import { evolvePrices, type Price } from '../values/prices.ts';
import type { CourseEvent } from './course.events.ts';
import type { CourseFields } from './course.fields.ts';

/** A course as its events tell it. Counts are derived. */
export interface Course extends Readonly<CourseFields>, Named, Recorded {
  readonly id: string;
  readonly status: 'draft' | 'published' | 'unpublished' | 'archived';
  readonly prices: readonly Price[];
  readonly seat_limit: number | null;
  readonly seats_taken: number;
  /** The file that the cover is, when `cover` is no address elsewhere. */
  readonly cover_file: string | null;
  readonly lecturer_ids: readonly string[];
  readonly lesson_count: number;
  readonly duration_s: number;
  readonly created_by: string;
  /** Whether everybody could find it in lists at some time. */
  readonly ever_listed: boolean;
  /** First publication; null = never. */
  readonly published_at: string | null;
}

/** A course, or that there is none: never created, or deleted. */
export type CourseState = Course | { readonly status: 'absent' | 'deleted' };

/** Whether there is a course. */
export const exists = (state: CourseState): state is Course => state.status !== 'absent' && state.status !== 'deleted';

/** Folds an event, but for the times and the version, which only the log knows. */
export function apply(state: CourseState, event: CourseEvent): CourseState {
  if (event.type === 'CourseCreated') return newborn(event);
  if (!exists(state)) return state;
  switch (event.type) {
    case 'CourseChanged':
      return { ...state, ...event.data.fields } as Course;
    case 'CourseSlugChanged':
      return renamed(state, event.data.slug);
    case 'PriceSet':
    case 'PriceRemoved':
      return { ...state, prices: evolvePrices(state.prices, event) };
    case 'SeatLimitChanged':
      return { ...state, seat_limit: event.data.seat_limit };
    case 'LecturerAssigned':
      return { ...state, lecturer_ids: [...state.lecturer_ids, event.data.lecturer_id] };
    case 'LecturerUnassigned':
      return { ...state, lecturer_ids: state.lecturer_ids.filter((id) => id !== event.data.lecturer_id) };
    case 'CoursePublished':
      return { ...state, status: 'published', ever_listed: state.ever_listed || event.data.listed };
    case 'CourseShown':
      return { ...state, ever_listed: state.ever_listed || event.data.listed };
    case 'CourseUnpublished':
      return { ...state, status: 'unpublished' };
    case 'CourseArchived':
      return { ...state, status: 'archived' };
    case 'CoverFileSet':
      return { ...state, cover_file: event.data.file_id };
    case 'FileReferenced':
    case 'FileReleased':
      return state;
    case 'CourseDeleted':
      return { status: 'deleted' };
  }
}

const newborn = ({ data }: Extract<CourseEvent, { type: 'CourseCreated' }>): Course => ({
  ...data.fields,
  id: data.course_id,
  status: 'draft',
  ...named(data.slug),
  prices: [],
  seat_limit: null,
  seats_taken: 0,
  lecturer_ids: [],
  cover_file: null,
  lesson_count: 0,
  duration_s: 0,
  created_by: data.created_by,
  ever_listed: false,
  published_at: null,
  ...unrecorded,
});

/** Folds an event as the log recorded it. */
export function evolve(state: CourseState, event: CourseEvent, { at, version }: EventContext): CourseState {
  const next = apply(state, event);
  if (!exists(next)) return next;
  return {
    ...next,
    created_at: event.type === 'CourseCreated' ? at : next.created_at,
    published_at: event.type === 'CoursePublished' ? (next.published_at ?? at) : next.published_at,
    updated_at: at,
    version,
  };
}
