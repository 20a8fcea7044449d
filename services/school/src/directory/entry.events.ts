import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';
import { profileAbout, schoolAddress } from '../school/school.events.ts';

/** The facts of a directory entry, in the reserved tenant `_platform`. */
export const entryEvents = {
  /** The platform has a place for the school: its slug and host are its own from now on. */
  SchoolAdmitted: { version: 1, data: profileAbout('school').extend({ school: z.string() }) },
  /** The new host is the school's own; the old one is free. */
  SchoolRehosted: { version: 1, data: schoolAddress },
  /** The school's own tenant knows what the directory knows. */
  SchoolSettled: { version: 1, data: z.object({}) },
} as const satisfies EventTypes;

/** An event of a directory entry. */
export type EntryEvent = EventOf<typeof entryEvents>;
