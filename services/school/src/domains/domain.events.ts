import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** Lower case, in A-labels. */
const domain = z.string();
/** What the owner of the domain publishes: another one for every time that a domain is added. */
const proof = z.string();

/** The facts of a school's custom domains, in its own tenant. */
export const domainEvents = {
  /** The school wants to answer at the domain. */
  DomainAdded: { version: 1, data: z.object({ domain, proof }) },
  /** The proof was published: the domain is the school's own. */
  DomainVerified: { version: 1, data: z.object({ domain, proof }) },
  /** `verified`: whether the school answered there until now. */
  DomainRemoved: { version: 1, data: z.object({ domain, proof, verified: z.boolean() }) },
} as const satisfies EventTypes;

/** An event of a school's custom domains. */
export type DomainEvent = EventOf<typeof domainEvents>;
