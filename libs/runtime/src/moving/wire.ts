import { z } from 'zod';

/** The one format that this version writes and reads. */
export const exportFormat = 1;

/** The media type of an exported school: one JSON value in a line. */
export const ndjson = 'application/x-ndjson';

/** The longest line: a commit of 1 MiB of events, escaped, and what belongs to it. Characters. */
export const longestLine = 8 * 1024 * 1024;

const meta = z.object({
  actor: z.string(),
  client: z.string().optional(),
  correlation: z.string().optional(),
  traceparent: z.string().optional(),
});

const wholeNumber = z.number().int().min(0);

/** The first line: what it is, of when, and how far each log went. Services stand in the order of their lines. */
export const headerLine = z.strictObject({
  format: z.literal(exportFormat),
  school: z.string().regex(/^[\w-]{1,100}$/),
  departure: z.string().min(1).max(100),
  at: z.string(),
  personal: z.boolean(),
  signing_keys: z.boolean(),
  place: z.unknown(),
  services: z.array(z.strictObject({ name: z.string(), lane: wholeNumber, head: wholeNumber })),
});

/** A commit as it is stored; its position is where it comes from only. */
const commitLine = z.strictObject({
  service: z.string(),
  commit: z.strictObject({
    position: wholeNumber,
    id: z.string().min(1),
    at: z.string(),
    meta: meta.loose(),
    fingerprint: z.string(),
    streams: z.array(z.strictObject({ id: z.string().min(1), before: wholeNumber, after: wholeNumber })).min(1),
    events: z
      .array(z.strictObject({ stream: z.string(), type: z.string(), schema: z.number().int(), data: z.unknown() }))
      .min(1),
  }),
});

/** The school's key in a service. */
const keyLine = z.strictObject({ service: z.string(), key: z.base64() });

/** Keys of people, wrapped by the school's; null for those who are erased. */
const subjectsLine = z.strictObject({
  service: z.string(),
  subjects: z.array(z.strictObject({ subject: z.string().min(1), wrapped: z.string().nullable() })),
});

/** Any line between the first and the last. */
export const bodyLine = z.union([commitLine, keyLine, subjectsLine]);

/** The last line: how many lines there are before it, and their SHA-256. */
export const endLine = z.strictObject({
  end: z.strictObject({ lines: wholeNumber, sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
});

export type Header = z.output<typeof headerLine>;
export type BodyLine = z.output<typeof bodyLine>;
export type StoredCommitLine = z.output<typeof commitLine>['commit'];
