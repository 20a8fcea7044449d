import { type EventOf, personal } from '@lyceum/kernel';
import { z } from 'zod';

/** The facts of a school. */
export const schoolEvents = {
  SchoolProvisioned: { version: 1, data: z.object({ url: z.string() }) },
  SchoolMoved: { version: 1, data: z.object({ url: z.string() }) },
} as const;

export type SchoolEvent = EventOf<typeof schoolEvents>;

const renamed = { name: personal(z.string(), '@stream') };

/** That a person was reminded: a stream of its own. */
export const reminderEvents = { Reminded: { version: 1, data: z.object({}) } } as const;

/** The facts of a person, as the release before knows them. */
export const oldPersonEvents = {
  PersonAdded: { version: 1, data: z.object({ handle: z.string(), name: personal(z.string(), '@stream') }) },
  PersonRenamed: { version: 1, data: z.object(renamed) },
  /** `poison`: no projection can take it. */
  PersonNoted: { version: 1, data: z.object({ poison: z.boolean() }) },
} as const;

/** As this release knows them: an event has another schema. */
export const personEvents = {
  ...oldPersonEvents,
  PersonRenamed: {
    version: 2,
    data: z.object({ ...renamed, by: z.string() }),
    upcasters: [(old: object) => ({ by: 'nobody', ...old })],
  },
} as const;

export type PersonEvent = EventOf<typeof personEvents>;

/** The facts of a badge, of which the release before knows nothing. */
export const badgeEvents = {
  BadgeGiven: { version: 1, data: z.object({ person: z.string() }) },
} as const;

export type BadgeEvent = EventOf<typeof badgeEvents>;
