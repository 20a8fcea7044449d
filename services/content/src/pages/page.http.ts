import { type ThingCall, changesIn, heads, keptBy, namingOf, resource } from '@lyceum/service';
import { type Ports, type StatusTable, given } from '@lyceum/web';
import { z } from 'zod';
import { keptContents, knownContent, publicationStatuses } from '../publication/publication.state.ts';
import { rollbackBody, scheduleBody } from '../publication/publication.schema.ts';
import { pageKinds } from './page.events.ts';
import { filesOf } from './page.files.ts';
import { contentKept } from './page.images.ts';
import { changePageBody, createPageBody, draftBody, noSeo, pageItem, pageReply } from './page.schema.ts';
import type { Page } from './page.state.ts';
import { type PageChanges, type PageCode, pageDecider, pageSlug } from './page.ts';
import { pageAddressed } from './page.addresses.ts';
import { pageDocument, pageRow } from './page.view.ts';

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const pageRejections = {
  not_found: 404,
  slug_taken: 409,
  reserved_slug: 409,
  system_page: 409,
  in_past: 409,
  invalid_state: 409,
} as const satisfies StatusTable<PageCode>;

/** Pages: published ones are everybody's, owners and admins see and change all. */
export const pages = resource({
  noun: 'page',
  path: '/api/pages',
  area: 'pages',
  decider: pageDecider,
  present: (state): Page | null => state,
  slugs: pageSlug,
  statuses: pageRejections,
  access: keptBy(heads, { open: ['published'], refusal: 'Owners and admins change pages' }),
  reply: pageReply,
  item: pageItem,
  document: pageDocument,
  addressed: pageAddressed,
  list: {
    name: 'pages',
    version: 1,
    fields: { status: 'text', kind: 'text' },
    statuses: publicationStatuses,
    texts: (page) => [knownContent(page).title],
    row: pageRow,
  },
});

/** The parts of a draft that a client sends, with its images as they are kept. */
const draftOf =
  (call: ThingCall<z.ZodType>, ports: Ports, wanted: PageChanges) =>
  async ({ thing }: { readonly thing: Page }) => {
    const known = new Set(keptContents(thing).flatMap(filesOf));
    const changes = await contentKept(call, ports, wanted, known);
    return { command: { type: 'ChangePage', changes }, expectedVersions: [] } as const;
  };

/** All operations on pages. */
export const pageOperations = [
  pages.list({
    id: 'listPages',
    summary: 'List pages',
    description:
      'Published ones; for owners and admins all of them, archived ones only when `status` asks for them. Newest first. Follows writes with a short delay: see Consistency-Token.',
    filters: { kind: z.enum(pageKinds).optional() },
    conditions: ({ kind }) => given(kind, (is) => ({ field: 'kind', is })),
    searches: 'Beginnings of words of the title; all of them.',
  }),

  pages.create({
    id: 'createPage',
    summary: 'Create a page',
    description: 'Creates a draft. Without a slug one is made from the title.',
    body: createPageBody,
    bodyLimit: 320 * 1024,
    errors: ['slug_taken', 'reserved_slug', 'file_not_ready', 'temporarily_unavailable'],
    naming: ({ slug, title }) => namingOf(slug, title),
    async command(call, ports, id) {
      const { slug: stated, kind, ...said } = call.body;
      const content = await contentKept(call, ports, said, new Set());
      const made = { type: 'CreatePage', id, kind, content, by: call.meta.actor } as const;
      return (slug) => ({ ...made, slug, isDerived: stated === undefined });
    },
  }),

  pages.get({
    id: 'getPage',
    summary: 'Read a page',
    description:
      'By id or slug, as of now; for owners and admins with its draft. A former slug answers 308 with the address of the present one.',
  }),

  pages.change({
    id: 'changePage',
    summary: 'Change a page',
    description:
      'A JSON Merge Patch: of its draft, which nobody else sees before it is published, and of its slug, which counts at once.',
    body: changePageBody,
    bodyLimit: 320 * 1024,
    errors: [
      'slug_taken',
      'reserved_slug',
      'system_page',
      'invalid_state',
      'file_not_ready',
      'temporarily_unavailable',
    ],
    command: (call, ports) => draftOf(call, ports, changesIn(call.body, { blocks: [], seo: noSeo })),
  }),

  pages.change({
    id: 'savePageDraft',
    method: 'PUT',
    below: '/draft',
    summary: 'Save the draft of a page',
    description: 'Replaces the draft. Everybody sees it once it is published.',
    body: draftBody,
    bodyLimit: 320 * 1024,
    ifMatch: 'required',
    errors: ['invalid_state', 'file_not_ready', 'temporarily_unavailable'],
    command: (call, ports) => draftOf(call, ports, call.body),
  }),

  pages.change({
    id: 'publishPage',
    method: 'POST',
    below: '/publish',
    summary: 'Publish a page',
    description:
      'Everybody sees the draft from now on. It becomes a revision; twenty are kept. Publishing what is public changes nothing.',
    errors: ['invalid_state'],
    command: () => ({ type: 'PublishDraft' }),
  }),

  pages.change({
    id: 'schedulePage',
    method: 'POST',
    below: '/schedule',
    summary: 'Schedule a page',
    description: 'The draft, as it is then, is published at this time. null calls it off.',
    body: scheduleBody,
    errors: ['in_past', 'invalid_state'],
    command: ({ body: { scheduled_for: at }, at: now }) =>
      at === null ? { type: 'CancelSchedule' } : { type: 'SchedulePublication', at, now },
  }),

  pages.change({
    id: 'unpublishPage',
    method: 'POST',
    below: '/unpublish',
    summary: 'Unpublish a page',
    description: 'Nobody but owners and admins sees it any more. What is scheduled is called off.',
    errors: ['invalid_state'],
    command: () => ({ type: 'Unpublish' }),
  }),

  pages.change({
    id: 'rollBackPage',
    method: 'POST',
    below: '/rollback',
    summary: 'Publish an earlier revision of a page again',
    description: 'As a new revision. The draft stays as it is.',
    body: rollbackBody,
    errors: ['invalid_state'],
    command: ({ body: { revision: to } }) => ({ type: 'RollBack', to }),
  }),

  pages.change({
    id: 'archivePage',
    method: 'POST',
    below: '/archive',
    summary: 'Archive a page',
    description: 'Hides it for good and ends changes. A page that every school has is unpublished instead.',
    errors: ['invalid_state', 'system_page'],
    command: () => ({ type: 'ArchivePublication' }),
  }),

  pages.remove({
    id: 'deletePage',
    summary: 'Delete a page',
    description: 'Only one that was never published; others are archived.',
    errors: ['invalid_state', 'system_page'],
    command: () => ({ type: 'DeletePage' }),
  }),
];
