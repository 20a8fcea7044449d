import { type Document, type Incoming, type Projection, rowAs } from '@lyceum/documents';
import { type EventTypes, upcast } from '@lyceum/kernel';
import { oldPersonEvents, personEvents } from './school.events.ts';

/** A person as the read model tells of them. */
export interface PersonView {
  readonly name: string | null;
  /** The stream's version: what was left out or came twice shows here. */
  readonly count: number;
  readonly seen: readonly number[];
}

const personStream = /^person-/;

/** The read model of people: a name, and which events were seen. */
const people = (version: number, events: typeof personEvents | typeof oldPersonEvents): Projection => ({
  collection: { name: 'people', version, fields: { name: 'text' } },
  key: ({ stream }) => (personStream.test(stream) ? stream : undefined),
  project(event, before) {
    const { type, data } = upcast(events, event);
    if (type === 'PersonNoted' && data.poison) throw new TypeError('nobody can take this');
    const { name, count, seen } = rowAs<PersonView>(before) ?? { name: null, count: 0, seen: [] };
    const now = type === 'PersonAdded' || type === 'PersonRenamed' ? data.name : name;
    return { name: now, count: count + 1, seen: [...seen, event.version] };
  },
  erase: {
    documents: (subject) => [subject.replace('_', '-')],
    forget: (body: Document) => ({ ...body, name: null }),
  },
});

export const oldPeople: Projection = people(1, oldPersonEvents);
export const newPeople: Projection = people(2, personEvents);

const seenIn = (before: Document | undefined) => rowAs<Pick<PersonView, 'seen'>>(before)?.seen ?? [];

/** Counts what it sees of streams whose name begins so, one document for each stream. */
export const counted = (name: string, prefix: string, types: readonly string[]): Projection => ({
  collection: { name, version: 1, fields: {} },
  key: ({ stream, type }: Incoming) => (stream.startsWith(prefix) && types.includes(type) ? stream : undefined),
  project: (event, before) => ({ seen: [...seenIn(before), event.version] }),
});

/** Counts how people were renamed, in the same version in both releases: what one could not take, the other must. */
export const renames = (events: EventTypes): Projection => ({
  collection: { name: 'renames', version: 1, fields: {} },
  key: ({ stream, type }) => (personStream.test(stream) && type === 'PersonRenamed' ? stream : undefined),
  project(event, before) {
    upcast(events, event);
    return { seen: [...seenIn(before), event.version] };
  },
});
