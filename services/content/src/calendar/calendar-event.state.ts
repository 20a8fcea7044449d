import { type Named, type Recorded, named, recording, renamed, unrecorded } from '@lyceum/kernel';
import type { CalendarEventEvent, StoredFields } from './calendar-event.events.ts';

/** An event of the calendar, as its events tell it. Times are RFC 3339 UTC. */
export interface CalendarEvent extends Readonly<StoredFields>, Named, Recorded {
  readonly id: string;
  readonly status: 'draft' | 'published' | 'canceled';
  readonly starts_at: string;
  readonly ends_at: string;
  /** Seats; null = no limit. */
  readonly capacity: number | null;
  /** How often its time changed: what calendars know by. */
  readonly sequence: number;
  readonly created_by: string;
  readonly published_at: string | null;
  /** What those who are registered are told about why it was canceled. */
  readonly cancel_note: string | null;
  /** How many have a seat, as far as they are counted. */
  readonly seats_taken: number;
}

/** An event; null = there is none. */
export type CalendarEventState = CalendarEvent | null;

/** Folds an event, but for the times and the version, which only the log knows. */
export function apply(state: CalendarEventState, event: CalendarEventEvent): CalendarEventState {
  if (event.type === 'EventCreated') {
    const { event_id: id, slug, fields, times, capacity, created_by } = event.data;
    return {
      id,
      ...fields,
      ...times,
      ...named(slug),
      ...unrecorded,
      status: 'draft',
      capacity,
      sequence: 0,
      created_by,
      published_at: null,
      cancel_note: null,
      seats_taken: 0,
    };
  }
  if (!state) return state;
  switch (event.type) {
    case 'EventChanged':
      return { ...state, ...event.data.fields } as CalendarEvent;
    case 'EventSlugChanged':
      return renamed(state, event.data.slug);
    case 'EventRescheduled':
      return { ...state, ...event.data.to, sequence: state.sequence + 1 };
    case 'EventCapacityChanged':
      return { ...state, capacity: event.data.capacity };
    case 'EventPublished':
      return { ...state, status: 'published' };
    case 'EventCanceled':
      return { ...state, status: 'canceled', cancel_note: event.data.note, sequence: state.sequence + 1 };
    case 'EventDeleted':
      return null;
    case 'EventShown':
    case 'FileReferenced':
    case 'FileReleased':
      return state;
  }
}

/** Folds an event as the log recorded it. */
export const evolve = recording(apply, { created: 'EventCreated', published: 'EventPublished' });
