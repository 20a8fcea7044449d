import { type Named, type Recorded, named, recording, renamed, unrecorded } from '@lyceum/kernel';
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
export interface Lecturer extends Profile, Named, Recorded {
  readonly status: 'active' | 'archived';
  /** The member who signs in as this lecturer; null = nobody. */
  readonly member_id: string | null;
  /** The file that the avatar is; known also of an erased person. */
  readonly avatar_file?: string;
}

/** A lecturer; null = there is none. */
export type LecturerState = Lecturer | null;

const born = ({ slug, by: _by, ...profile }: Added): Lecturer => ({
  ...profile,
  ...named(slug),
  status: 'active',
  member_id: null,
  ...unrecorded,
});

type Added = Extract<LecturerEvent, { type: 'LecturerAdded' }>['data'];

function apply(state: LecturerState, event: LecturerEvent): LecturerState {
  if (event.type === 'LecturerAdded') return born(event.data);
  if (!state) return state;
  switch (event.type) {
    case 'LecturerChanged':
      return { ...state, ...(event.data as Partial<Profile>) };
    case 'LecturerSlugChanged':
      return renamed(state, event.data.slug);
    case 'LecturerLinked':
      return { ...state, member_id: event.data.member_id };
    case 'LecturerUnlinked':
      return { ...state, member_id: null };
    case 'FileReferenced':
      return { ...state, avatar_file: event.data.file_id };
    case 'FileReleased': {
      const { avatar_file: _gone, ...rest } = state;
      return rest;
    }
    case 'LecturerArchived':
      return { ...state, status: 'archived' };
    case 'LecturerRestored':
      return { ...state, status: 'active' };
    case 'LecturerRemoved':
      return null;
  }
}

/** Folds an event as the log recorded it. */
export const evolve = recording(apply, { created: 'LecturerAdded' });
