import { z } from 'zod';
import type { Scope } from '../access/scopes.ts';

/**
 * Whom the change feed shows an event, and what of it, beside its scope. `everyone`: all of it. `staff`: owners and admins
 * only, without the time that ends tokens. `account`: the person whose account it is, and nothing but that. `school`: the
 * slug to the staff only. `school-changes`: likewise, how the school is run. `listed`: to others than the staff a course that is in the lists, and one that leaves them as
 * taken back; `listing`: likewise, without its seats. `taken-back`: to all who may have found the course in the lists.
 * `priced`: the staff, with the scope of what has the price.
 */
export type Shows =
  'everyone' | 'staff' | 'account' | 'school' | 'school-changes' | 'listed' | 'listing' | 'taken-back' | 'priced';

/** An integration event as the change feed has it. */
export interface FeedEntry {
  /** What a token needs. */
  readonly scope: Scope;
  readonly shows: Shows;
  /** What it means, in words. */
  readonly means: string;
  /** Which member of its data is the id of what it happened to; that of its stream when left out. */
  readonly of?: string;
  /** The place below that, of what has no id of its own. */
  readonly below?: string;
}

/** What follows from an integration event, beside its data. */
export interface Consequences {
  /** It decides who may do what, so that nobody may learn it late: whoever writes it publishes it at once. */
  readonly urgent?: true;
  /** Left out: the event is between the services, and never in the change feed. */
  readonly feed?: FeedEntry;
  /** The kind of offer that looks different to the public after it. */
  readonly offer?: 'course' | 'digital_product' | 'membership_plan';
}

/** An integration event: its schema's version, the schema of its data, and what follows from it. */
export interface IntegrationEvent<Data extends z.ZodObject = z.ZodObject> extends Consequences {
  readonly version: number;
  readonly data: Data;
}

/** Declares an integration event. */
export const published = <Data extends z.ZodObject>(
  version: number,
  data: Data,
  consequences: Consequences = {},
): IntegrationEvent<Data> => ({ version, data, ...consequences });

/** What every service that publishes may publish. */
export const subjectEvents = {
  /** A person of the school was erased: whoever holds data about them destroys it. */
  SubjectErased: published(1, z.object({ subject: z.string() })),
  /** From here on nothing is published of the school: revocations among it. Nobody of it is to be let in meanwhile. */
  FactsWithheld: published(1, z.object({})),
  /** What was withheld is published, right before this. */
  FactsResumed: published(1, z.object({})),
} as const;
