import { fileReferenceEvents } from '@lyceum/contracts';
import { type EventOf, type EventTypes, ofStream, personal } from '@lyceum/kernel';
import { z } from 'zod';

const by = z.string();
const nothing = z.object({});
const text = () => personal(z.string(), ofStream);
const links = () => personal(z.array(z.object({ label: z.string(), url: z.string() })), ofStream);

/** What a profile says. An empty text or list means that there is none: null would mean that the person is erased. */
const profile = {
  display_name: text(),
  title: text(),
  bio: text(),
  avatar: text(),
  links: links(),
  contact_email: text(),
  position: z.int(),
};

/** What may be different about a profile. */
const lecturerFields = z.object(profile).partial();

/** The facts of a lecturer, in the stream named after the profile's id. */
export const lecturerEvents = {
  LecturerAdded: { version: 1, data: z.object({ slug: z.string(), by, ...profile }) },
  LecturerChanged: { version: 1, data: lecturerFields },
  LecturerSlugChanged: { version: 1, data: z.object({ slug: z.string() }) },
  /** The member of this id signs in as this lecturer. */
  LecturerLinked: { version: 1, data: z.object({ member_id: z.string() }) },
  LecturerUnlinked: { version: 1, data: nothing },
  ...fileReferenceEvents,
  LecturerArchived: { version: 1, data: nothing },
  LecturerRestored: { version: 1, data: nothing },
  LecturerRemoved: { version: 1, data: nothing },
} as const satisfies EventTypes;

/** An event of a lecturer. */
export type LecturerEvent = EventOf<typeof lecturerEvents>;
