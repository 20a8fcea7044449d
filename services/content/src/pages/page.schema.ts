import { imageAddress, imageInput, line, paragraph, slug } from '@lyceum/contracts';
import { membersOf, mergePatch, staff } from '@lyceum/service';
import { z } from 'zod';
import { publicationMembers } from '../publication/publication.schema.ts';
import { pageBlocks } from './page.blocks.ts';
import { pageKinds } from './page.events.ts';

const members = membersOf('page', 'page');

const title = line(1, 200).meta({ example: 'How we teach' });

const seoFields = {
  title: line(1, 120).nullable().meta({ description: 'For search engines; null = the title of the page.' }),
  description: paragraph(500).nullable(),
  noindex: z.boolean().meta({ description: 'Search engines are asked to leave the page out.' }),
};

const seoReply = z.object({ ...seoFields, image: imageAddress().nullable() }).meta({ id: 'PageSeo' });

const seoBody = z
  .strictObject({
    title: seoFields.title.default(null),
    description: seoFields.description.default(null),
    image: imageInput().nullable().default(null),
    noindex: seoFields.noindex.default(false),
  })
  .meta({
    id: 'SetPageSeo',
    description: 'What search engines and other sites are told. What is left out is cleared.',
  });

/** A page as clients read it. */
export const pageReply = z
  .object({
    ...members.first,
    title,
    slug,
    blocks: pageBlocks,
    seo: seoReply,
    kind: z.enum(pageKinds).meta({ ...staff, description: 'Every school has home, terms and privacy.' }),
    ...publicationMembers,
    draft: z
      .object({ title, blocks: pageBlocks, seo: seoReply })
      .meta({ id: 'PageDraft', ...staff, description: 'What is being written.' }),
    ...members.last,
  })
  .meta({ id: 'Page', description: 'A page of the school’s site.' });

/** The reply after parsing. */
export type PageReply = z.output<typeof pageReply>;

/** A page in a list. */
export const pageItem = pageReply
  .omit({ blocks: true, draft: true, revisions: true, unpublished_changes: true })
  .meta({ id: 'PageItem', description: 'A page in a list: without what it says.' });

/** The body that creates a page. */
export const createPageBody = z
  .strictObject({
    title,
    slug: slug.optional(),
    kind: z.enum(['custom', 'product']).default('custom'),
    blocks: pageBlocks.default([]),
    seo: seoBody.prefault({}),
  })
  .meta({
    id: 'CreatePage',
    description: 'Only the title is needed. Without a slug one is made from it.',
    example: { title: 'How we teach', blocks: [{ kind: 'hero', heading: 'Slowly, and together' }] },
  });

/** The body that changes a page. */
export const changePageBody = mergePatch(
  {
    slug: slug.optional(),
    title: title.optional(),
    blocks: pageBlocks.nullable().optional(),
    seo: seoBody.nullable().optional(),
  },
  { id: 'ChangePage', example: { slug: 'our-way' } },
);

/** A whole draft: what is left out is empty. */
export const draftBody = z.strictObject({ title, blocks: pageBlocks.default([]), seo: seoBody.prefault({}) }).meta({
  id: 'SavePageDraft',
  description: 'All of the draft; what is left out is empty.',
  example: {
    title: 'How we teach',
    blocks: [{ kind: 'text', text: [{ type: 'paragraph', text: [{ text: 'Slowly.' }] }] }],
  },
});

/** Nothing said about a page to search engines and other sites. */
export const noSeo = { title: null, description: null, image: null, noindex: false } as const;
