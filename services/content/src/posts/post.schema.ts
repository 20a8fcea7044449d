import {
  imageAddress,
  imageInput,
  line,
  paragraph,
  richText,
  richTextInput,
  richTextOrNone,
  slug,
} from '@lyceum/contracts';
import { membersOf, mergePatch, staff } from '@lyceum/service';
import { z } from 'zod';
import { publicationMembers } from '../publication/publication.schema.ts';
import { visibilities } from './post.events.ts';

const members = membersOf('post', 'post');

const withoutRepeats = (values: string[]): string[] => [...new Set(values)];

const idOf = (noun: string) =>
  z.string().regex(new RegExp(`^${noun}_[A-Za-z0-9-]{1,56}$`), `must be the id of a ${noun}`);

const fields = {
  title: line(1, 200).meta({ example: 'A lantern for each evening' }),
  excerpt: paragraph(300).nullable().meta({ description: 'For lists and feeds; everybody sees it.' }),
  author_id: idOf('lecturer').nullable().meta({ description: 'The profile of a lecturer.' }),
  tags: z.array(line(1, 40)).overwrite(withoutRepeats).max(20),
  visibility: z
    .enum(visibilities)
    .meta({ description: 'Whom its text is for: everybody, who is signed in, or who has a plan.' }),
  plan_ids: z
    .array(idOf('plan'))
    .overwrite(withoutRepeats)
    .max(20)
    .meta({ description: 'Where visibility is plans: which; none = every plan that opens posts.' }),
};

const cover = imageAddress().nullable();

/** A post as clients read it. */
export const postReply = z
  .object({
    ...members.first,
    title: fields.title,
    slug,
    excerpt: fields.excerpt,
    cover,
    author_id: fields.author_id,
    tags: fields.tags,
    visibility: fields.visibility,
    locked: z.boolean().meta({ description: 'Whether its text is for others than the caller.' }),
    unlock: z
      .array(z.string())
      .meta({ description: 'The plans that open it, while it is locked; none: signing in does.' }),
    body: richText.optional().meta({ description: 'Not there while it is locked.' }),
    comment_count: z.int().min(0).meta({ description: 'Comments that others see; it follows with a short delay.' }),
    ...publicationMembers,
    plan_ids: fields.plan_ids.meta({ ...fields.plan_ids.meta(), ...staff }),
    pinned: z.boolean().meta({ ...staff, description: 'Stands before those that are not.' }),
    comments_enabled: z.boolean().meta(staff),
    draft: z
      .object({ ...fields, cover, body: richText })
      .meta({ id: 'PostDraft', ...staff, description: 'What is being written.' }),
    ...members.last,
  })
  .meta({ id: 'Post', description: 'A post of the school.' });

/** The reply after parsing. */
export type PostReply = z.output<typeof postReply>;

/** A post in a list. */
export const postItem = postReply
  .omit({ body: true, draft: true, revisions: true, unpublished_changes: true })
  .meta({ id: 'PostItem', description: 'A post in a list: without its text.' });

const settable = {
  slug: slug.optional(),
  excerpt: fields.excerpt.optional(),
  cover: imageInput().nullable().optional(),
  author_id: fields.author_id.optional(),
  tags: fields.tags.nullable().optional(),
  visibility: fields.visibility.optional(),
  plan_ids: fields.plan_ids.nullable().optional(),
  comments_enabled: z.boolean().optional().meta({ description: 'Whether people may comment on it; counts at once.' }),
};

/** The body that creates a post. */
export const createPostBody = z
  .strictObject({ title: fields.title, ...settable, body: richTextInput.optional() })
  .meta({
    id: 'CreatePost',
    description:
      'Only the title is needed. Without a slug one is made from it; without a visibility it is for everybody.',
    example: { title: 'A lantern for each evening', excerpt: 'Four folds, one candle.', tags: ['paper'] },
  });

/** The body that changes a post. */
export const changePostBody = mergePatch(
  { title: fields.title.optional(), ...settable, body: richTextOrNone.optional() },
  { id: 'ChangePost', example: { visibility: 'members', tags: ['paper', 'light'] } },
);
