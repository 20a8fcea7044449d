import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { PostContent, PostEvent } from './post.events.ts';
import { postDecider } from './post.ts';

const file = 'upload_00000000-0000-7000-8000-000000000001';
const content: PostContent = {
  title: 'Lanterns',
  excerpt: null,
  cover: null,
  author_id: null,
  tags: [],
  visibility: 'public',
  plan_ids: [],
  body: [],
};
const covered: PostContent = { ...content, title: 'Kites', cover: file };
const created: PostEvent = {
  type: 'PostCreated',
  data: { post_id: 'post_1', slug: 'lanterns', content, comments_enabled: true, created_by: 'acc_1' },
};
const changed = (said: PostContent): PostEvent => ({ type: 'PostChanged', data: { content: said } });
const shown = {
  slug: 'lanterns',
  title: 'Lanterns',
  visibility: 'public',
  plan_ids: [],
  comments_enabled: true,
  pinned: false,
};
const published = (revision: number, more: Partial<typeof shown> & { of?: number } = {}): PostEvent => ({
  type: 'PostPublished',
  data: { revision, ...shown, ...more },
});
const told = (more: Partial<typeof shown>): PostEvent => ({ type: 'PostShown', data: { ...shown, ...more } });
const pinned: PostEvent = { type: 'PostPinned', data: {} };
const unpublished: PostEvent = { type: 'PostUnpublished', data: {} };
const archived: PostEvent = { type: 'PostArchived', data: {} };
const named = { type: 'FileReferenced', data: { file_id: file } } as const;
const released = { type: 'FileReleased', data: { file_id: file } } as const;

describe('a post', () => {
  test('is created once, with the file of its cover', () => {
    const command = {
      type: 'CreatePost',
      id: 'post_1',
      slug: 'lanterns',
      by: 'acc_1',
      comments_enabled: true,
    } as const;
    given(postDecider)
      .when({ ...command, content })
      .then(created);
    given(postDecider)
      .when({ ...command, content: covered })
      .then({ ...created, data: { ...created.data, content: covered } } as PostEvent, named);
    given(postDecider, created)
      .when({ ...command, content })
      .rejected('invalid_state');
  });

  test('that is not there cannot be changed, pinned, published or deleted', () => {
    for (const type of ['PinPost', 'UnpinPost', 'DeletePost', 'PublishDraft', 'Unpublish'] as const)
      given(postDecider).when({ type }).rejected('not_found');
    given(postDecider)
      .when({ type: 'ChangePost', changes: { title: 'x' } })
      .rejected('not_found');
  });

  test('is changed by what differs, and others hear only of what they may know', () => {
    const draft = given(postDecider, created);
    draft.when({ type: 'ChangePost', changes: { ...content, slug: 'lanterns', comments_enabled: true } }).unchanged();
    draft.when({ type: 'ChangePost', changes: { ...covered } }).then(changed(covered), named);
    draft.when({ type: 'PinPost' }).then(pinned);
    const open = given(postDecider, created, published(1));
    open.when({ type: 'ChangePost', changes: { title: 'Kites' } }).then(changed({ ...content, title: 'Kites' }));
    open
      .when({ type: 'ChangePost', changes: { slug: 'kites' } })
      .then({ type: 'PostSlugChanged', data: { slug: 'kites' } }, told({ slug: 'kites' }));
    open
      .when({ type: 'ChangePost', changes: { comments_enabled: false } })
      .then({ type: 'PostCommentsSet', data: { enabled: false } }, told({ comments_enabled: false }));
    open.when({ type: 'PinPost' }).then(pinned, told({ pinned: true }));
    given(postDecider, created, published(1), pinned)
      .when({ type: 'UnpinPost' })
      .then({ type: 'PostUnpinned', data: {} }, told({}));
  });

  test('is pinned once and unpinned once', () => {
    given(postDecider, created, pinned).when({ type: 'PinPost' }).unchanged();
    given(postDecider, created).when({ type: 'UnpinPost' }).unchanged();
  });

  test('is published with whom it is for, and rolled back to an old revision', () => {
    const secret: PostContent = { ...content, visibility: 'plans', plan_ids: ['plan_1'] };
    const history = [created, published(1), changed(secret)];
    given(postDecider, ...history)
      .when({ type: 'PublishDraft' })
      .then(published(2, { visibility: 'plans', plan_ids: ['plan_1'] as never[] }));
    given(postDecider, ...history, published(2))
      .when({ type: 'RollBack', to: 1 })
      .then(published(3, { of: 1 }));
    expect(given(postDecider, ...history).state?.revisions[0]?.content.visibility).toBe('public');
  });

  test('is deleted while it was never public, else archived, and stays as it is then', () => {
    given(postDecider, created, changed(covered))
      .when({ type: 'DeletePost' })
      .then(released, { type: 'PostDeleted', data: {} });
    given(postDecider, created, published(1)).when({ type: 'DeletePost' }).rejected('invalid_state');
    given(postDecider, created, published(1)).when({ type: 'ArchivePublication' }).then(unpublished, archived);
    const gone = given(postDecider, created, published(1), unpublished, archived);
    gone.when({ type: 'PinPost' }).rejected('invalid_state');
    gone.when({ type: 'ChangePost', changes: { title: 'x' } }).rejected('invalid_state');
    gone.when({ type: 'PublishDraft' }).rejected('invalid_state');
  });
});
