import { type EventOf, type EventTypes, type RecordedEvent, upcast } from '@lyceum/kernel';
import { z } from 'zod';
import { published } from '../integration-events/declaration.ts';

const file_id = z.string();

/** A file, and what names it. */
const reference = z.object({
  file_id,
  holder_id: z.string().meta({ description: 'What names the file: the id of a course, a lesson, a member' }),
});

/** The same in a stream; without a holder it is the thing that the stream is of. */
const kept = z.object({ file_id, holder_id: z.string().optional() });

/** What a stream says of the files that its things name: a file stays for as long as something names it. */
export const fileReferenceEvents = {
  FileReferenced: { version: 1, data: kept },
  FileReleased: { version: 1, data: kept },
} as const satisfies EventTypes;

/** The integration events of a service whose things name files. */
export const fileReferenceFacts = {
  FileReferenced: published(1, reference, { means: 'A thing names the file from now on' }),
  FileReleased: published(1, reference, { means: 'A thing names the file no longer' }),
} as const;

/** An event about a file that something names. */
export type FileReferenceEvent = EventOf<typeof fileReferenceEvents>;

/** The form of a file's id: what is not of it was named before there were files. */
export const isFileId = (text: unknown): text is string =>
  typeof text === 'string' && /^upload_[A-Za-z0-9-]{1,56}$/.test(text);

/**
 * The events by which a thing goes from naming some files to naming others. What is no id of a file is left out. `holder_id`:
 * the thing, where the stream is of several.
 */
export function referenceEvents(
  before: readonly (string | null | undefined)[],
  after: readonly (string | null | undefined)[],
  holder_id?: string,
): readonly FileReferenceEvent[] {
  const holder = holder_id === undefined ? {} : { holder_id };
  const [were, are] = [new Set(before.filter(isFileId)), new Set(after.filter(isFileId))];
  return [
    ...named(are, were).map((file_id) => ({ type: 'FileReferenced', data: { file_id, ...holder } }) as const),
    ...named(were, are).map((file_id) => ({ type: 'FileReleased', data: { file_id, ...holder } }) as const),
  ];
}

const named = (these: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] =>
  [...these].filter((id) => !others.has(id));

/** A recorded event about a file that something names, with what names it; undefined for any other event. */
export function fileReferenceOf(recorded: Pick<RecordedEvent, 'stream' | 'type' | 'schema' | 'data'>) {
  if (!Object.hasOwn(fileReferenceEvents, recorded.type)) return undefined;
  const { type, data } = upcast(fileReferenceEvents, recorded);
  return { type, data: { ...data, holder_id: data.holder_id ?? recorded.stream } };
}
