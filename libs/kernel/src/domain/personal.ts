import type { EventTypes, Parser } from './events.ts';
import { isObject } from '../type-guards.ts';

/** The subject of a field whose person is the one that the event's stream is about. */
export const ofStream = '@stream';

/** What a schema builder has that can be marked: zod's schemas do. */
interface Markable<Nullable> {
  nullable(): Nullable;
}

/**
 * Marks a field of an event as personal data about `subject`: `@stream` (the stream's own person), the path of a field
 * with the subject's id from the root of the data (`buyer.id`), or from the object around the field (`./id`). The log
 * keeps it encrypted under a key of that subject. Once the subject is erased it reads as null, which the type says;
 * null is never written.
 */
export function personal<Nullable extends { meta(about: { personal: string }): unknown }>(
  schema: Markable<Nullable>,
  subject: string,
): Nullable {
  return schema.nullable().meta({ personal: subject }) as Nullable;
}

/** The id of the thing that a stream is about: `account-<UUID>` is the stream of `account_<UUID>`; other names are ids themselves. */
export const subjectOfStream = (stream: string): string => stream.replace(/^([a-z]+)-/, '$1_');

/** A person was erased: the key of their fields is destroyed, wherever this event is read. */
export interface SubjectErased {
  readonly type: 'SubjectErased';
  readonly data: { readonly subject: string };
}

/** The stream, in a school's log, that says that a subject is erased. */
export const erasureStream = (subject: string): string => `subject-${subject}`;

/** Checks the data of `SubjectErased`. Throws a `TypeError` when it names no subject. */
const subjectData: Parser<SubjectErased['data']> = {
  parse(value) {
    const subject = isObject(value) ? value['subject'] : undefined;
    if (typeof subject !== 'string' || subject === '') throw new TypeError('SubjectErased must name a subject');
    return { subject };
  },
};

/** The event type that every service's log may carry, on the stream `subject-<id>`. */
export const erasureEvents = { SubjectErased: { version: 1, data: subjectData } } as const satisfies EventTypes;

/** The erased subject, when the event says so. */
export const erasedSubject = (event: { readonly type: string; readonly data: unknown }): string | undefined =>
  event.type === 'SubjectErased' ? subjectData.parse(event.data).subject : undefined;
