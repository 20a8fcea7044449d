import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

const held = z.object({ domain: z.string(), school: z.string(), proof: z.string() });

/** The facts of a domain on the platform, in the reserved tenant `_platform`. */
export const domainHolderEvents = {
  /** The school has proven that the domain is its own: no other school can have it. */
  DomainTaken: { version: 1, data: held },
  /** Any school may prove it from now on. */
  DomainReleased: { version: 1, data: held },
} as const satisfies EventTypes;

/** An event of a domain on the platform. */
export type DomainHolderEvent = EventOf<typeof domainHolderEvents>;
