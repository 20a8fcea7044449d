import { z } from 'zod';

/** The one format that this version writes and reads. */
export const exportFormat = 1;

/** The media type of an exported school: one JSON value in a line. */
export const ndjson = 'application/x-ndjson';

/** The longest line: a commit of 1 MiB of events, escaped, and what belongs to it. Characters. */
export const longestLine = 8 * 1024 * 1024;

/** The longest body. Bytes. */
export const longestBody = 4 * 1024 * 1024 * 1024;

/** The most commits, events of a commit, and streams of a school. */
export const most = { commits: 5_000_000, events: 1_000, streams: 2_000_000 } as const;

const printable = z
  .string()
  .max(300)
  .regex(/^[\x20-\x7e]*$/, 'printable ASCII');

/** What else another release notes is left behind. */
const meta = z.object({
  actor: printable,
  client: z.string().max(2_000).optional(),
  correlation: printable.optional(),
  traceparent: printable.optional(),
});

const wholeNumber = z.number().int().min(0);

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A school's id: never that of a tenant that the platform keeps for itself. */
export const schoolId = z.string().regex(/^school_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'school_<UUID>');

/** The name of a stream: engines end text at NUL, and none is as long. */
const streamName = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[^\0\p{Surrogate}]*$/u);

const time = z.iso.datetime({ error: 'RFC 3339 in UTC' });

/** The first line: what it is, of when, and how far each log went. Services stand in the order of their lines. */
export const headerLine = z.strictObject({
  format: z.literal(exportFormat),
  school: schoolId,
  departure: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[\w-]+$/),
  at: time,
  personal: z.boolean(),
  signing_keys: z.boolean(),
  place: z.unknown(),
  services: z.array(z.strictObject({ name: z.string().max(100), lane: wholeNumber, head: wholeNumber })).max(100),
});

/** A commit as it is stored; its position is where it comes from only. */
const commitLine = z.strictObject({
  service: z.string(),
  commit: z.strictObject({
    position: wholeNumber,
    id: z.string().regex(uuid, 'a UUID'),
    at: time,
    meta,
    fingerprint: z.string().max(500),
    streams: z
      .array(z.strictObject({ id: streamName, before: wholeNumber, after: wholeNumber }))
      .min(1)
      .max(most.events),
    events: z
      .array(
        z.strictObject({
          stream: streamName,
          type: z.string().max(100),
          schema: z.number().int().min(1),
          data: z.unknown(),
        }),
      )
      .min(1)
      .max(most.events),
  }),
});

/** The school's key in a service. */
const keyLine = z.strictObject({ service: z.string(), key: z.base64().max(100) });

/** Keys of people, wrapped by the school's; null for those who are erased. */
const subjectsLine = z.strictObject({
  service: z.string(),
  subjects: z.array(z.strictObject({ subject: streamName, wrapped: z.string().max(500).nullable() })).max(1_000),
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
