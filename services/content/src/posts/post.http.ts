import { changesIn, namingOf } from '@lyceum/service';
import { type Call, type Operation, type Ports, type Reply, given } from '@lyceum/web';
import { isObject } from '@lyceum/kernel';
import { line } from '@lyceum/contracts';
import { z } from 'zod';
import { commentCounts } from '../comment-counts/comment-count.ts';
import { rollbackBody, scheduleBody } from '../publication/publication.schema.ts';
import { imageKept } from '../values/images.ts';
import { blankPost } from './post.blank.ts';
import { PostLocks } from './post.entitlement.ts';
import { type PostContent, visibilities } from './post.events.ts';
import { posts } from './post.resource.ts';
import { type PostReply, changePostBody, createPostBody, type postItem } from './post.schema.ts';
import { type PostChanges, filesNamedBy } from './post.ts';

/** What a client says of a post, with its cover as it is kept. `known`: the files that the post names already. */
async function said(
  call: Parameters<typeof imageKept>[0],
  ports: Ports,
  body: Partial<z.output<typeof changePostBody>>,
  known: readonly (string | null)[] = [],
): Promise<PostChanges> {
  const changes: PostChanges = changesIn(body, { tags: [], plan_ids: [], body: [] });
  if (typeof changes.cover !== 'string') return changes;
  const files = new Set(known.filter((file) => file !== null));
  const cover = await imageKept(call, ports, changes.cover, { path: 'cover', purpose: 'cover', known: files });
  return { ...changes, cover };
}

const get = posts.get({
  id: 'getPost',
  summary: 'Read a post',
  description:
    'By id or slug, as of now. Its text is there for those whom it is for; for others `locked` is true and `unlock` names the plans that open it. Which plans a member has follows with a short delay. A former slug answers 308 with the address of the present one.',
});

const locksFor = ({ school, principal }: Pick<Call, 'school' | 'principal'>, ports: Pick<Ports, 'documents'>) =>
  new PostLocks(ports, school, principal?.subject);

/** A post that every plan opens which opens posts is unlocked by those of them that can be bought: they change without the post. */
const getPost: Operation = {
  ...get,
  async handle(call: Call, ports: Ports) {
    // Comments are counted without a new version.
    const reply: Reply = { ...(await get.handle(call, ports)), fleeting: true };
    const { body, version: _version, ...rest } = reply;
    if (!isObject(body)) return reply;
    const named = await locksFor(call, ports).named(body as PostReply);
    return named === body ? reply : { ...rest, body: named };
  },
};

const list = posts.list({
  id: 'listPosts',
  summary: 'List posts',
  description:
    'Published ones; for owners and admins all of them, for lecturers also their own; archived ones only when `status` asks for them. Those that are pinned first, then the newest (`front`). Each says whether its text is `locked`, and which plans `unlock` it. Follows writes with a short delay: see Consistency-Token.',
  filters: { visibility: z.enum(visibilities).optional(), tag: line(1, 40).optional() },
  conditions: ({ visibility, tag }) => [
    ...given(visibility, (is) => ({ field: 'visibility', is })),
    ...given(tag, (has) => ({ field: 'tags', has })),
  ],
  searches: 'Beginnings of words of title, excerpt or tags; all of them.',
  sorts: ['front', 'created_at', 'updated_at', 'published_at'],
});

type Item = z.output<typeof postItem>;

/** Lists posts, each with the number of its comments, which are counted beside the rows, and as locked as the reader finds it. */
const listPosts: Operation = {
  ...list,
  async handle(call: Call, ports: Ports) {
    const reply = await list.handle(call, ports);
    const { data, ...body } = reply.body as { readonly data: readonly Item[] };
    const locks = locksFor(call, ports);
    const counts = await commentCounts(
      ports,
      call.school,
      data.map(({ id }) => id),
    );
    const shown = data.map(async (post) => ({
      ...(await locks.settled(post)),
      comment_count: counts.get(post.id) ?? 0,
    }));
    return { ...reply, body: { ...body, data: await Promise.all(shown) } };
  },
};

/** All operations on posts. */
export const postOperations = [
  listPosts,

  posts.create({
    id: 'createPost',
    summary: 'Create a post',
    description: 'Creates a draft. Without a slug one is made from the title.',
    body: createPostBody,
    errors: ['slug_taken', 'file_not_ready', 'temporarily_unavailable'],
    naming: ({ slug, title }) => namingOf(slug, title),
    async command(call, ports, id) {
      const { slug: _named, comments_enabled = true, ...wanted } = await said(call, ports, call.body);
      const content: PostContent = { ...blankPost, ...wanted };
      const made = { type: 'CreatePost', id, content, comments_enabled, by: call.meta.actor } as const;
      return (slug) => ({ ...made, slug });
    },
  }),

  getPost,

  posts.change({
    id: 'changePost',
    summary: 'Change a post',
    description:
      'A JSON Merge Patch: of its draft, which nobody else sees before it is published; its slug and `comments_enabled` count at once.',
    body: changePostBody,
    errors: ['slug_taken', 'invalid_state', 'file_not_ready', 'temporarily_unavailable'],
    command:
      (call, ports) =>
      async ({ thing }) => {
        const changes = await said(call, ports, call.body, filesNamedBy(thing));
        return { command: { type: 'ChangePost', changes }, expectedVersions: [] };
      },
  }),

  posts.change({
    id: 'publishPost',
    method: 'POST',
    below: '/publish',
    summary: 'Publish a post',
    description:
      'The draft is public from now on. It becomes a revision; twenty are kept. Publishing what is public changes nothing.',
    errors: ['invalid_state'],
    command: () => ({ type: 'PublishDraft' }),
  }),

  posts.change({
    id: 'schedulePost',
    method: 'POST',
    below: '/schedule',
    summary: 'Schedule a post',
    description: 'The draft, as it is then, is published at this time. null calls it off.',
    body: scheduleBody,
    errors: ['in_past', 'invalid_state'],
    command: ({ body: { scheduled_for: at }, at: now }) =>
      at === null ? { type: 'CancelSchedule' } : { type: 'SchedulePublication', at, now },
  }),

  posts.change({
    id: 'unpublishPost',
    method: 'POST',
    below: '/unpublish',
    summary: 'Unpublish a post',
    description: 'Nobody but those who write it sees it any more. What is scheduled is called off.',
    errors: ['invalid_state'],
    command: () => ({ type: 'Unpublish' }),
  }),

  posts.change({
    id: 'rollBackPost',
    method: 'POST',
    below: '/rollback',
    summary: 'Publish an earlier revision of a post again',
    description: 'As a new revision. The draft stays as it is.',
    body: rollbackBody,
    errors: ['invalid_state'],
    command: ({ body: { revision: to } }) => ({ type: 'RollBack', to }),
  }),

  posts.change({
    id: 'pinPost',
    method: 'POST',
    below: '/pin',
    summary: 'Pin a post',
    description: 'It stands before those that are not pinned. Counts at once.',
    errors: ['invalid_state'],
    command: () => ({ type: 'PinPost' }),
  }),

  posts.change({
    id: 'unpinPost',
    method: 'POST',
    below: '/unpin',
    summary: 'Unpin a post',
    description: 'It stands among the others again. Counts at once.',
    errors: ['invalid_state'],
    command: () => ({ type: 'UnpinPost' }),
  }),

  posts.change({
    id: 'archivePost',
    method: 'POST',
    below: '/archive',
    summary: 'Archive a post',
    description: 'Hides it for good and ends changes.',
    errors: ['invalid_state'],
    command: () => ({ type: 'ArchivePublication' }),
  }),

  posts.remove({
    id: 'deletePost',
    summary: 'Delete a post',
    description: 'Only one that was never published; others are archived.',
    errors: ['invalid_state'],
    command: () => ({ type: 'DeletePost' }),
  }),
];
