import { z } from 'zod';
import type { Scope } from '../access/scopes.ts';

/**
 * Whom the change feed shows an event, and what of it, beside its scope. `everyone`: all of it. `staff`: owners and admins
 * only, without the time that ends tokens. `account`: the person whose account it is, and nothing but that. `school`: the
 * slug to the staff only. `school-changes`: likewise, how the school is run. `listed`: to others than the staff a course that is in the lists, and one that leaves them as
 * taken back; `listing`: likewise, without its seats. `taken-back`: to all who may have found the course in the lists.
 * `priced`: the staff, with the scope of what has the price. `comment`: to others than the staff a comment that everybody may
 * read, and one that they may read no longer as hidden.
 */
export type Shows =
  | 'everyone'
  | 'staff'
  | 'account'
  | 'school'
  | 'school-changes'
  | 'listed'
  | 'listing'
  | 'taken-back'
  | 'priced'
  | 'comment';

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
  /** What it means, in words, where no entry of the change feed says it. */
  readonly means?: string;
  /** The kind of offer, or of thing of the site, that looks different to the public after it. */
  readonly offer?: 'course' | 'digital_product' | 'membership_plan' | 'event' | 'page' | 'post';
}

/** An integration event: its schema's version, the schema of its data, and what follows from it. */
export interface IntegrationEvent<Data extends z.ZodObject = z.ZodObject> extends Consequences {
  readonly version: number;
  readonly data: Data;
  /** How data of older versions becomes data of the next, v1→v2 first: one for each version before. */
  readonly upcasters?: readonly ((data: never) => unknown)[];
}

/** What an integration event means, in words; undefined when its declaration does not say it. */
export const meaningOf = ({ means, feed }: Consequences): string | undefined => feed?.means ?? means;

/** Declares an integration event. A version from 2 on needs its `upcasters`. */
export const published = <Data extends z.ZodObject>(
  version: number,
  data: Data,
  consequences: Consequences & Pick<IntegrationEvent, 'upcasters'> = {},
): IntegrationEvent<Data> => ({ version, data, ...consequences });

/** What every service that publishes may publish. */
export const subjectEvents = {
  SubjectErased: published(1, z.object({ subject: z.string() }), {
    means: 'A person of the school was erased: each service that holds data about the subject destroys it',
  }),
  FactsWithheld: published(1, z.object({}), {
    means:
      'From here on nothing is published of the school, revocations among it: nobody of it is to be let in meanwhile',
  }),
  FactsResumed: published(1, z.object({}), { means: 'What was withheld is published, right before this' }),
} as const;
