import { line, slug } from '@lyceum/contracts';
import {
  type Decider,
  type EventOf,
  type EventTypes,
  type Named,
  type Recorded,
  differences,
  named,
  recording,
  reject,
  renamed,
  unrecorded,
} from '@lyceum/kernel';
import { given } from '@lyceum/web';
import { z } from 'zod';
import { heads, keptBy } from '../access.ts';
import { changesIn, mergePatch } from '../merge-patch.ts';
import { resource } from '../resource.ts';
import { membersOf, staff } from '../schema.ts';
import { namingOf } from '../text/slugs.ts';

const fields = z.object({ title: z.string(), summary: z.string().nullable(), tags: z.array(z.string()) });
type Fields = z.output<typeof fields>;

const events = {
  NoteCreated: { version: 1, data: z.object({ slug: z.string(), fields }) },
  NoteChanged: { version: 1, data: z.object({ fields: fields.partial() }) },
  NoteRenamed: { version: 1, data: z.object({ slug: z.string() }) },
  NotePublished: { version: 1, data: z.object({}) },
  NoteArchived: { version: 1, data: z.object({}) },
  NoteDeleted: { version: 1, data: z.object({}) },
} as const satisfies EventTypes;
type Event = EventOf<typeof events>;

interface Note extends Fields, Named, Recorded {
  readonly status: 'draft' | 'published' | 'archived';
}

type Command =
  | { readonly type: 'CreateNote'; readonly slug: string; readonly fields: Fields }
  | { readonly type: 'ChangeNote'; readonly changes: Partial<Fields> & { readonly slug?: string } }
  | { readonly type: 'PublishNote' | 'ArchiveNote' | 'DeleteNote' };
type Code = 'not_found' | 'slug_taken' | 'invalid_state';

function evolve(state: Note | null, event: Event): Note | null {
  if (event.type === 'NoteCreated')
    return { ...event.data.fields, ...named(event.data.slug), status: 'draft', ...unrecorded };
  if (!state || event.type === 'NoteDeleted') return null;
  if (event.type === 'NoteChanged') return { ...state, ...(event.data.fields as Partial<Fields>) };
  if (event.type === 'NoteRenamed') return renamed(state, event.data.slug);
  return { ...state, status: event.type === 'NotePublished' ? 'published' : 'archived' };
}

const slugs = 'note-slug';

const decider: Decider<Note | null, Command, Event, Code> = {
  events,
  initial: null,
  evolve: recording(evolve, { created: 'NoteCreated' }),
  decide(command, state) {
    if (command.type === 'CreateNote')
      return [{ type: 'NoteCreated', data: { slug: command.slug, fields: command.fields } }];
    if (!state) return reject('not_found', 'There is no such note');
    if (command.type !== 'ChangeNote') {
      if (state.status === 'archived') return reject('invalid_state', 'The note is archived');
      const type = { PublishNote: 'NotePublished', ArchiveNote: 'NoteArchived', DeleteNote: 'NoteDeleted' } as const;
      return [{ type: type[command.type], data: {} }];
    }
    const { slug: wanted = state.slug, ...changes } = command.changes;
    const different = differences(state, changes);
    return [
      ...(different ? [{ type: 'NoteChanged' as const, data: { fields: different } }] : []),
      ...(wanted === state.slug ? [] : [{ type: 'NoteRenamed' as const, data: { slug: wanted } }]),
    ];
  },
  claims: (event) =>
    event.type === 'NoteCreated' || event.type === 'NoteRenamed'
      ? [{ kind: slugs, value: event.data.slug, rejected: 'slug_taken' }]
      : [],
  releases: ({ type }, before) =>
    type === 'NoteDeleted' ? (before?.slugs ?? []).map((value) => ({ kind: slugs, value })) : [],
};

const members = membersOf('note', 'note');
const reply = z
  .object({
    ...members.first,
    ...fields.shape,
    slug,
    letters: z.int(),
    status: z.enum(['draft', 'published', 'archived']).meta(staff),
    ...members.last,
  })
  .meta({ id: 'Note' });

const settable = {
  slug: slug.optional(),
  summary: line(1, 100).nullable().optional(),
  tags: z.array(line(1, 20)).nullable().optional(),
};
const createBody = z.strictObject({ title: line(1, 50), ...settable });
const changeBody = mergePatch({ title: line(1, 50).optional(), ...settable }, { id: 'ChangeNote', example: {} });

/** What each rejection means over HTTP. */
export const noteStatuses = { not_found: 404, slug_taken: 409, invalid_state: 409 } as const;

const notes = resource({
  noun: 'note',
  path: '/api/posts',
  area: 'posts',
  decider,
  present: (state): Note | null => state,
  slugs,
  statuses: noteStatuses,
  access: keptBy(heads, { open: ['published'], refusal: 'Notes are the school’s' }),
  reply,
  item: reply.omit({ letters: true }),
  document: ({ slugs: _slugs, status, ...open }, view, id) => ({
    ...open,
    id,
    object: 'note' as const,
    ...(view === 'staff' ? { status } : {}),
    view,
  }),
  list: {
    name: 'notes',
    version: 1,
    fields: { status: 'text', tags: 'set' },
    statuses: ['draft', 'published', 'archived'],
    texts: ({ title, summary }) => [title, summary],
  },
  alongside: async (_ports, _school, id) => ({ letters: id.length }),
});

const texts = (id: string) => ({ id, summary: id, description: id });

/** Called while `doubleNote` derives its command: what else happens meanwhile. */
export const meanwhile: { write?: () => Promise<void> } = {};

const operations = [
  notes.list({
    ...texts('listNotes'),
    searches: 'Words.',
    filters: { tag: line(1, 20).optional() },
    conditions: ({ tag }) => given(tag, (has) => ({ field: 'tags', has })),
    sorts: ['created_at', 'updated_at'],
  }),
  notes.get(texts('getNote')),
  notes.create({
    ...texts('createNote'),
    body: createBody,
    naming: ({ slug, title }) => namingOf(slug, title),
    command: ({ body: { title, summary = null, tags } }) => {
      const made = { title, summary, tags: tags ?? [] };
      return (slug) => ({ type: 'CreateNote', slug, fields: made });
    },
  }),
  notes.change({
    ...texts('changeNote'),
    body: changeBody,
    command: ({ body }) => ({ type: 'ChangeNote', changes: changesIn(body, { tags: [] }) }),
  }),
  notes.change({
    ...texts('doubleNote'),
    method: 'POST',
    below: '/double',
    command:
      () =>
      async ({ thing: { title }, expectedVersions }) => {
        await meanwhile.write?.();
        return { command: { type: 'ChangeNote', changes: { title: title + title } }, expectedVersions };
      },
  }),
  notes.change({
    ...texts('publishNote'),
    method: 'POST',
    below: '/publish',
    command: () => ({ type: 'PublishNote' }),
  }),
  notes.change({
    ...texts('archiveNote'),
    method: 'POST',
    below: '/archive',
    command: () => ({ type: 'ArchiveNote' }),
  }),
  notes.remove({ ...texts('deleteNote'), command: () => ({ type: 'DeleteNote' }) }),
];

/** The one area of notes, made by the kit. */
export const noteSlice = { name: 'notes', operations, events, projections: [notes.projection] };
