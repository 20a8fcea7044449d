import { type Decider, type EventOf, type EventTypes, type SideEvent, isoTime } from '@lyceum/kernel';
import { z } from 'zod';

/** The avatars that a person announces, each event in the commit of the upload itself. */
export const avatarListEvents = {
  /** `own`: for themselves by their account, not as one of the staff. */
  AvatarAnnounced: { version: 1, data: z.object({ upload_id: z.string(), own: z.boolean() }) },
  /** The upload came to nothing, or its file is deleted. */
  AvatarEnded: { version: 1, data: z.object({ upload_id: z.string() }) },
} as const satisfies EventTypes;

type AvatarListEvent = EventOf<typeof avatarListEvents>;

/** What a person has announced. */
interface AvatarList {
  /** Uploads that are awaited or have a file. */
  readonly present: readonly { readonly id: string; readonly own: boolean }[];
  /** When own ones were announced in the 24 hours before the last of them. RFC 3339, ascending. */
  readonly announced: readonly string[];
}

const prefix = 'avatars-of/';

/** Whether a stream is a person's list. */
export const isAvatarList = (stream: string): boolean => stream.startsWith(prefix);

/** The stream of a person's list, by the subject of their tokens: in the log, where an erasure finds it. */
export const avatarListOf = (subject: string): string => prefix + subject;

/** Those of some times that are less than 24 hours before a time. */
export const withinADay = (times: readonly string[], at: string): readonly string[] => {
  const from = isoTime(Date.parse(at) - 86_400_000);
  return times.filter((time) => time > from);
};

/** A person's list. Nothing is asked of it: uploads write its events beside their own. */
export const avatarList: Pick<Decider<AvatarList, never, AvatarListEvent>, 'events' | 'initial' | 'evolve'> = {
  events: avatarListEvents,
  initial: { present: [], announced: [] },
  evolve({ present, announced }, event, { at }) {
    const { upload_id: id } = event.data;
    if (event.type === 'AvatarEnded') return { present: present.filter((each) => each.id !== id), announced };
    const { own } = event.data;
    return { present: [...present, { id, own }], announced: own ? [...withinADay(announced, at), at] : announced };
  },
};

/** What the announcement of an avatar leaves in the list of who announced it. */
export const avatarAnnounced = (subject: string, upload_id: string, own: boolean): SideEvent => ({
  stream: avatarListOf(subject),
  type: 'AvatarAnnounced',
  schema: avatarListEvents.AvatarAnnounced.version,
  data: { upload_id, own },
});

/** What the end of an avatar leaves there. */
export const avatarEnded = (subject: string, upload_id: string): SideEvent => ({
  stream: avatarListOf(subject),
  type: 'AvatarEnded',
  schema: avatarListEvents.AvatarEnded.version,
  data: { upload_id },
});
