import { referenceEvents } from '@lyceum/contracts';
import { type Decider, type Rejection, differences, isRejection, reject } from '@lyceum/kernel';
import {
  type PublicationCode,
  type PublicationCommand,
  decidePublication,
  stepEvents,
} from '../publication/publication.ts';
import { keptContents, publicContent } from '../publication/publication.state.ts';
import { type PostContent, type PostEvent, postEvents } from './post.events.ts';
import { type Post, type PostState, apply, evolve } from './post.state.ts';

/** What should be different: of the draft, and of what counts at once. */
export interface PostChanges extends Partial<PostContent> {
  readonly slug?: string;
  readonly comments_enabled?: boolean;
}

/** What can be asked of a post. */
export type PostCommand =
  | PublicationCommand
  | {
      readonly type: 'CreatePost';
      readonly id: string;
      readonly slug: string;
      readonly content: PostContent;
      readonly comments_enabled: boolean;
      readonly by: string;
    }
  | { readonly type: 'ChangePost'; readonly changes: PostChanges }
  | { readonly type: 'PinPost' | 'UnpinPost' | 'DeletePost' };

/** What a command can be rejected for. */
export type PostCode = PublicationCode | 'slug_taken';

type Decision = readonly PostEvent[] | Rejection<PostCode>;

function decide(command: PostCommand, state: PostState): Decision {
  if (command.type === 'CreatePost') return create(command, state);
  if (!state) return reject('not_found', 'There is no such post');
  switch (command.type) {
    case 'ChangePost':
      return change(command.changes, state);
    case 'PinPost':
      return state.pinned ? [] : altered(state, [{ type: 'PostPinned', data: {} }]);
    case 'UnpinPost':
      return state.pinned ? altered(state, [{ type: 'PostUnpinned', data: {} }]) : [];
    case 'DeletePost':
      if (state.revisions.length > 0) return reject('invalid_state', 'What was public is archived, not deleted');
      return [...referenceEvents(filesNamedBy(state), []), { type: 'PostDeleted', data: {} }];
    default:
      return publication(command, state);
  }
}

function create(
  { id: post_id, slug, content, comments_enabled, by: created_by }: Extract<PostCommand, { type: 'CreatePost' }>,
  state: PostState,
): Decision {
  if (state) return reject('invalid_state', 'The post exists already');
  const created: PostEvent = { type: 'PostCreated', data: { post_id, slug, content, comments_enabled, created_by } };
  return [created, ...referenceEvents([], [content.cover])];
}

function change({ slug, comments_enabled, ...wanted }: PostChanges, state: Post): Decision {
  const events: PostEvent[] = [];
  if (differences(state.draft, wanted))
    events.push({ type: 'PostChanged', data: { content: { ...state.draft, ...wanted } } });
  if (slug !== undefined && slug !== state.slug) events.push({ type: 'PostSlugChanged', data: { slug } });
  if (comments_enabled !== undefined && comments_enabled !== state.comments_enabled)
    events.push({ type: 'PostCommentsSet', data: { enabled: comments_enabled } });
  return altered(state, events);
}

/** What others may know of a post while it says this. */
const shown = (
  { slug, comments_enabled, pinned }: Pick<Post, 'slug' | 'comments_enabled' | 'pinned'>,
  { title, visibility, plan_ids }: PostContent,
) => ({ slug, title, visibility, plan_ids: [...plan_ids], comments_enabled, pinned });

/** The events of a change that counts at once: others hear of what they may know of a public post. */
function altered(before: Post, events: readonly PostEvent[]): Decision {
  if (before.status === 'archived') return reject('invalid_state', 'An archived post cannot be changed');
  const [content, after] = [publicContent(before), folded(before, events)];
  if (!content || !after) return withReferences(before, events);
  const isOther = differences(shown(before, content), shown(after, content)) !== undefined;
  const told: readonly PostEvent[] = isOther ? [{ type: 'PostShown', data: shown(after, content) }] : [];
  return withReferences(before, [...events, ...told]);
}

function publication(command: PublicationCommand, state: Post): Decision {
  const steps = decidePublication(command, state);
  if (isRejection(steps)) return steps;
  const events = stepEvents<PostContent, PostEvent>(steps, state, {
    publish: (counted, content) => ({ type: 'PostPublished', data: { ...counted, ...shown(state, content) } }),
    schedule: (scheduled_for) => ({ type: 'PostScheduled', data: { scheduled_for } }),
    unschedule: { type: 'PostUnscheduled', data: {} },
    unpublish: { type: 'PostUnpublished', data: {} },
    archive: { type: 'PostArchived', data: {} },
  });
  return withReferences(state, events);
}

const folded = (before: Post, events: readonly PostEvent[]): PostState =>
  events.reduce<PostState>((state, event) => apply(state, event, { at: '' }), before);

/** The files that a post names: the covers of its draft and of its revisions. */
export const filesNamedBy = (post: Post): readonly (string | null)[] => keptContents(post).map(({ cover }) => cover);

/** The events, and those of the files that the post names from then on, or no longer. */
function withReferences(before: Post, events: readonly PostEvent[]): readonly PostEvent[] {
  const after = folded(before, events);
  return [...events, ...referenceEvents(filesNamedBy(before), after ? filesNamedBy(after) : [])];
}

/** The kind of the claims that keep slugs of posts unique in a school. */
export const postSlug = 'post-slug';

/** A post: the stream is its id. */
export const postDecider: Decider<PostState, PostCommand, PostEvent, PostCode> = {
  events: postEvents,
  initial: null,
  snapshot: { version: 1, every: 20 },
  decide,
  evolve,
  claims: (event) =>
    event.type === 'PostCreated' || event.type === 'PostSlugChanged'
      ? [{ kind: postSlug, value: event.data.slug, rejected: 'slug_taken' }]
      : [],
  releases: (event, before) =>
    event.type === 'PostDeleted' ? (before?.slugs ?? []).map((value) => ({ kind: postSlug, value })) : [],
};
