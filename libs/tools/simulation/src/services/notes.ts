import { type Document, type Projection, rowAs } from '@lyceum/documents';
import { type Decider, type EventOf, personal, upcast } from '@lyceum/kernel';
import { z } from 'zod';

/** The facts of a note: what somebody wrote is theirs. */
export const noteEvents = {
  NoteWritten: { version: 1, data: z.object({ author: z.string(), text: personal(z.string(), 'author') }) },
} as const;

export type NoteEvent = EventOf<typeof noteEvents>;

export const note: Decider<number, { readonly author: string; readonly text: string }, NoteEvent> = {
  events: noteEvents,
  initial: 0,
  decide: (data) => [{ type: 'NoteWritten', data }],
  evolve: (count) => count + 1,
};

/** A note as the read model tells of it. */
export interface NoteView {
  readonly author: string;
  readonly text: string | null;
  readonly seen: readonly number[];
}

export const notes: Projection = {
  collection: { name: 'notes', version: 1, fields: { author: 'text' } },
  key: ({ stream }) => (stream.startsWith('note-') ? stream : undefined),
  project(event, before) {
    const { data } = upcast(noteEvents, event);
    const { seen } = rowAs<NoteView>(before) ?? { seen: [] };
    return { author: data.author, text: data.text, seen: [...seen, event.version] };
  },
  erase: { documents: { field: 'author' }, forget: (body: Document) => ({ ...body, text: null }) },
};

/** That somebody was welcomed. */
export const welcomeEvents = { Welcomed: { version: 1, data: z.object({}) } } as const;

export const welcome: Decider<boolean, null, EventOf<typeof welcomeEvents>> = {
  events: welcomeEvents,
  initial: false,
  decide: (_, isDone) => (isDone ? [] : [{ type: 'Welcomed', data: {} }]),
  evolve: () => true,
};
