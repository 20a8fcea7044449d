import { type Collection, type Document, type Projection, rowAs } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { importEvents } from './import.events.ts';
import { type StudentImport, evolve } from './import.state.ts';

/** The read model behind the list of imports. */
export const studentImports: Collection = {
  name: 'student-imports',
  version: 1,
  fields: { status: 'text', created_at: 'text', updated_at: 'text' },
};

/** The import of a row, without the rows that it left out. */
export const importOf = (row: Document): StudentImport => rowAs<StudentImport>(row);

/** Folds the events of each import into its row. */
export const importProjection: Projection = {
  collection: studentImports,
  key: ({ type, stream }) => (Object.hasOwn(importEvents, type) ? stream : undefined),
  project(event, before) {
    const { at, version } = event;
    const next = evolve(before ? importOf(before) : null, upcast(importEvents, event), { at, version });
    if (!next) return null;
    const { expires_at, ...row } = next;
    return { ...row, ...(expires_at === undefined ? {} : { expires_at }), errors: [] };
  },
};
