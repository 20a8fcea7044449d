import type { Collection, Projection } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { z } from 'zod';
import { schoolProfile } from '../school/school.events.ts';
import { entryEvents } from './entry.events.ts';
import { entryDecider, schoolOfEntry } from './entry.ts';

/** A school in the directory's read model. */
export const directoryRow = schoolProfile.extend({
  school: z.string(),
  settled: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** All schools of the platform, in the tenant `_platform`; ids are the schools' own. */
export const directory: Collection = {
  name: 'directory',
  version: 1,
  fields: { slug: 'text', host: 'text', settled: 'boolean', created_at: 'text' },
};

/** Folds each entry's events into its row. */
export const directoryProjection: Projection = {
  collection: directory,
  key: ({ stream }) => schoolOfEntry(stream),
  project(event, before) {
    const row = before === undefined ? undefined : directoryRow.parse(before);
    const { at, version } = event;
    const after = entryDecider.evolve(row, upcast(entryEvents, event), { at, version });
    return after ? { ...after, created_at: row?.created_at ?? at, updated_at: at } : null;
  },
  erase: { documents: (school) => [school], forget: (row) => directoryRow.omit({ owner_email: true }).parse(row) },
};
