import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** `#rrggbb`, lower case. */
const colour = z.string();

/** How a school looks: what its owner chose, not what is made of it. */
const look = z.object({
  palette: z.object({ accent: colour, background: colour, surface: colour, text: colour }),
  typography: z.enum(['system', 'humanist', 'serif', 'rounded']),
  layout: z.enum(['card', 'plain', 'banner']),
  dark_mode: z.enum(['auto', 'light', 'dark']),
  /** Stands in the place of the school's name at the head of a page. */
  logo_text: z.string().nullable(),
  /** For the school's own site; the pages of the authorization server never use it. */
  custom_css: z.string(),
});

/** How a school looks. */
export type Look = z.output<typeof look>;

/** The facts of a school's appearance. */
export const appearanceEvents = {
  AppearanceDraftSaved: { version: 1, data: z.object({ look }) },
  AppearanceDraftDiscarded: { version: 1, data: z.object({}) },
  AppearancePublished: { version: 1, data: z.object({ revision: z.number().int(), look }) },
  /** What was published as the revision `to` is published again, as a new one. */
  AppearanceRolledBack: {
    version: 1,
    data: z.object({ revision: z.number().int(), to: z.number().int(), look }),
  },
} as const satisfies EventTypes;

/** An event of a school's appearance. */
export type AppearanceEvent = EventOf<typeof appearanceEvents>;
