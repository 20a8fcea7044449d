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
  /** The proof was looked for and was not there, while the school answered at the domain. */
  DomainProofMissed: { version: 1, data: z.object({ domain, proof }) },
  /** It is there again. */
  DomainProofFound: { version: 1, data: z.object({ domain, proof }) },
  /** It was missed for too long: the school answers there no longer, until the proof `next` is published. */
  DomainLapsed: { version: 1, data: z.object({ domain, proof, next: proof }) },
  /** `verified`: whether the school answered there until now. */
  DomainRemoved: { version: 1, data: z.object({ domain, proof, verified: z.boolean() }) },
} as const satisfies EventTypes;

/** An event of a school's custom domains. */
export type DomainEvent = EventOf<typeof domainEvents>;
