import type { EventContext } from '@lyceum/kernel';
import type { LecturerEvent } from './lecturer.events.ts';

/** What a profile says. Empty = nothing is said; null = the person is erased. */
export interface Profile {
  readonly display_name: string | null;
  readonly title: string | null;
  readonly bio: string | null;
  readonly avatar: string | null;
  readonly links: readonly { readonly label: string; readonly url: string }[] | null;
  readonly contact_email: string | null;
  /** Place among the lecturers; the smallest comes first. */
  readonly position: number;
}

/** A lecturer as the events tell it. */
export interface Lecturer extends Profile {
  readonly slug: string;
  /** Every slug there ever was, newest last: the older ones redirect. */
  readonly slugs: readonly string[];
  readonly status: 'active' | 'archived';
  /** The member who signs in as this lecturer; null = nobody. */
  readonly member_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
}

/** A lecturer; null = there is none. */
export type LecturerState = Lecturer | null;

const born = ({ slug, by: _by, ...profile }: Added): Lecturer => ({
  ...profile,
  slug,
  slugs: [slug],
  status: 'active',
  member_id: null,
  created_at: '',
  updated_at: '',
  version: 0,
});

type Added = Extract<LecturerEvent, { type: 'LecturerAdded' }>['data'];

function apply(state: Lecturer, event: Exclude<LecturerEvent, { type: 'LecturerAdded' }>): LecturerState {
  switch (event.type) {
    case 'LecturerChanged':
      return { ...state, ...(event.data as Partial<Profile>) };
    case 'LecturerSlugChanged': {
      const { slug } = event.data;
      return { ...state, slug, slugs: [...state.slugs.filter((old) => old !== slug), slug] };
    }
    case 'LecturerLinked':
      return { ...state, member_id: event.data.member_id };
    case 'LecturerUnlinked':
      return { ...state, member_id: null };
    case 'LecturerArchived':
      return { ...state, status: 'archived' };
    case 'LecturerRestored':
      return { ...state, status: 'active' };
    case 'LecturerRemoved':
      return null;
  }
}

/** Folds an event as the log recorded it. */
export function evolve(state: LecturerState, event: LecturerEvent, { at, version }: EventContext): LecturerState {
  const next = event.type === 'LecturerAdded' ? born(event.data) : state && apply(state, event);
  return (
    next && { ...next, created_at: event.type === 'LecturerAdded' ? at : next.created_at, updated_at: at, version }
  );
}
