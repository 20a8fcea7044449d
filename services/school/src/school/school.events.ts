import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** Where a school is found: `host` as browsers send it (with the port unless it is the scheme's own), `base_url` its origin. */
export const schoolAddress = z.object({
  host: z.string().min(1).max(255),
  base_url: z.string().min(1).max(300),
});

/** What a school is provisioned with. */
export const schoolProfile = schoolAddress.extend({
  slug: z.string().min(3).max(80),
  name: z.string().min(1).max(200),
  currency: z.string().length(3),
  timezone: z.string().min(1).max(64),
  locale: z.string().min(2).max(35),
  owner_email: z.string().max(254).optional(),
});

/** The facts of a school, in its own tenant. */
export const schoolEvents = {
  SchoolProvisioned: { version: 1, data: schoolProfile },
  SchoolMoved: { version: 1, data: schoolAddress },
} as const satisfies EventTypes;

/** An event of a school. */
export type SchoolEvent = EventOf<typeof schoolEvents>;

/** What a school is provisioned with. */
export type SchoolProfile = z.output<typeof schoolProfile>;
