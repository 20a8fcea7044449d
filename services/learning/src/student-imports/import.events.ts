import { type EventOf, type EventTypes, personal } from '@lyceum/kernel';
import { z } from 'zod';

const count = z.int();

/** Why a row was left out: its line, never what stands in it. `course_id`: where it was refused for one course. */
const rowError = z.object({ line: z.int(), code: z.string(), course_id: z.string().optional() });

/** A row that was left out. */
export type RowError = z.output<typeof rowError>;

const nothing = z.object({});

/** The events of an import, in the stream named after its id. No row stands in them. */
export const importEvents = {
  ImportRequested: {
    version: 1,
    data: z.object({
      requested_by: z.string(),
      source: z.string(),
      /** Rows that are to be worked on; those in `refused` are not among them. */
      rows: count,
      refused: z.array(rowError),
      /** When access is to end, RFC 3339; null = never; absent = as each course says. */
      expires_at: z.string().nullable().optional(),
    }),
  },
  /** Rows were worked on, up to the `done`th. */
  ImportAdvanced: {
    version: 1,
    data: z.object({
      done: count,
      invited: count,
      enrolled: count,
      unchanged: count,
      errors: z.array(rowError),
    }),
  },
  ImportCompleted: { version: 1, data: nothing },
  /** `by`: a member's id, or `system` where who asked for it may enroll nobody any more. */
  ImportCancelled: { version: 1, data: z.object({ by: z.string() }) },
  /** It did not get done in time, or its rows can be read no more. */
  ImportExpired: { version: 1, data: nothing },
} as const satisfies EventTypes;

/** An event of an import. */
export type ImportEvent = EventOf<typeof importEvents>;

/** The rows of an import, in a stream of their own, under a key that is destroyed as soon as the import is over. */
export const importRowsEvents = {
  ImportRowsKept: {
    version: 1,
    data: z.object({
      import_id: z.string(),
      /** JSON, compressed (RFC 1951), in base64. */
      rows: personal(z.string(), 'import_id'),
    }),
  },
} as const satisfies EventTypes;
