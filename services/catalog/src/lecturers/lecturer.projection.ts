import type { Collection, Document, Projection } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { searchable } from '../resource/search.ts';
import { type LecturerEvent, lecturerEvents } from './lecturer.events.ts';
import { evolve, type LecturerState } from './lecturer.state.ts';

/** The read model behind the list of lecturers. */
export const lecturers: Collection = {
  name: 'lecturers',
  version: 2,
  fields: {
    status: 'text',
    member_id: 'text',
    search: 'text',
    created_at: 'text',
    updated_at: 'text',
    position: 'number',
  },
};

/** Folds each lecturer's events into a row; the row of an erased person is gone. */
export const lecturerProjection: Projection = {
  collection: lecturers,
  key: ({ stream }) => (stream.startsWith('lecturer_') ? stream : undefined),
  project(event, before) {
    const { at, version } = event;
    const { search: _old, ...row } = before ?? {};
    const state = (before ? row : null) as LecturerState;
    const next = evolve(state, upcast(lecturerEvents, event) as LecturerEvent, { at, version });
    return next && ({ ...next, search: searchable([next.display_name, next.title]) } as unknown as Document);
  },
  erase: { documents: (subject) => [subject] },
};
