import type { Projection } from '@lyceum/documents';
import type { EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** A person of a school, by the subject of their tokens. */
export interface DataSubject {
  readonly school: string;
  readonly subject: string;
}

/** Records about a person, plain JSON, and where the page after them begins; nothing = they are the last. */
export interface PersonalPage {
  readonly records: readonly object[];
  readonly next?: string | undefined;
}

/** Records of one kind that an area keeps about people: one file of the export of a person's data. */
export interface PersonalData<Ports = object> {
  /** Names the file within the service: a noun in small letters and hyphens. Never changed. */
  readonly file: string;
  /**
   * A page of what there is about a person as of now, from the beginning or behind another page: at most 200 records. What is
   * about others (the right answers of a quiz, who enrolled whom) is not told.
   */
  read(of: DataSubject, ports: Ports, after: string | undefined): Promise<PersonalPage>;
}

/** An area of a service, as far as it may keep what is personal. */
export interface KeepingArea {
  readonly name: string;
  readonly events?: EventTypes;
  readonly projections?: readonly Projection[];
  readonly personalData?: readonly Pick<PersonalData, 'file'>[];
}

/** The kind of the service query that every service answers with what it keeps about a person. */
export const personalDataQuery = 'personal-data';

const fileName = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/);

/** Where a page begins: in which file, behind what. */
const place = z.object({ file: fileName, after: z.string().max(500).nullable() });

/** A question about a person: from the beginning, or from where the page before ended. */
export const personalDataQuestion = z.object({
  kind: z.literal(personalDataQuery),
  school: z.string(),
  subject: z.string(),
  from: place.nullable(),
});

/** The answer: records of one file, and where it goes on. `file` is null for a service that keeps nothing about people. */
export const personalDataAnswer = z.object({
  file: fileName.nullable(),
  records: z.array(z.record(z.string(), z.unknown())).max(200),
  next: place.nullable(),
});

/** A question about a person. */
export type PersonalDataQuestion = z.output<typeof personalDataQuestion>;

/** A page of a service's answer. */
export type PersonalDataAnswer = z.output<typeof personalDataAnswer>;
