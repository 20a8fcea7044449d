import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { PageEvent } from './page.events.ts';
import { noSeo } from './page.schema.ts';
import type { PageContent, PageKind } from './page.state.ts';
import { pageDecider } from './page.ts';

const at = '2026-01-05T08:00:00.000Z';
const file = 'upload_00000000-0000-7000-8000-000000000001';
const content: PageContent = { title: 'Lanterns', blocks: [], seo: noSeo };
const other: PageContent = { ...content, title: 'Kites', blocks: [{ kind: 'image', image: file, alt: '' }] };
const stored = (said: PageContent) => said as never;

const created = (kind: PageKind = 'custom', slug = 'lanterns'): PageEvent => ({
  type: 'PageCreated',
  data: { page_id: 'page_1', slug, kind, content: stored(content), created_by: 'acc_1' },
});
const saved = (said: PageContent): PageEvent => ({ type: 'PageDraftSaved', data: { content: stored(said) } });
const published = (revision: number, title = 'Lanterns', of?: number): PageEvent => ({
  type: 'PagePublished',
  data: { revision, ...(of === undefined ? {} : { of }), slug: 'lanterns', title, noindex: false },
});
const scheduled = (scheduled_for: string): PageEvent => ({ type: 'PageScheduled', data: { scheduled_for } });
const unpublished: PageEvent = { type: 'PageUnpublished', data: {} };
const named = { type: 'FileReferenced', data: { file_id: file } } as const;
const released = { type: 'FileReleased', data: { file_id: file } } as const;

describe('a page', () => {
  const command = { type: 'CreatePage', id: 'page_1', slug: 'lanterns', kind: 'custom', content, by: 'acc_1' } as const;

  test('is created once', () => {
    given(pageDecider).when(command).then(created());
    given(pageDecider, created()).when(command).rejected('invalid_state');
  });

  test('has no slug that is kept, and gets another one where it was made from the title', () => {
    for (const slug of ['api', 'oauth', 'mcp', 'media', 'home', 'terms', 'posts'])
      given(pageDecider)
        .when({ ...command, slug })
        .rejected('reserved_slug');
    given(pageDecider)
      .when({ ...command, slug: 'terms', isDerived: true })
      .rejected('slug_taken');
    given(pageDecider)
      .when({ ...command, slug: 'terms', kind: 'terms' })
      .then(created('terms', 'terms'));
    given(pageDecider, created())
      .when({ type: 'ChangePage', changes: { slug: 'api' } })
      .rejected('reserved_slug');
  });

  test('that is not there cannot be changed, published or deleted', () => {
    for (const type of ['PublishDraft', 'Unpublish', 'ArchivePublication', 'DeletePage'] as const)
      given(pageDecider).when({ type }).rejected('not_found');
    given(pageDecider)
      .when({ type: 'ChangePage', changes: { title: 'x' } })
      .rejected('not_found');
  });

  test('names the files of its draft and of every revision that can be rolled back to', () => {
    const draft = given(pageDecider, created());
    draft.when({ type: 'ChangePage', changes: { ...other } }).then(saved(other), named);
    const withFile = [created(), saved(other)];
    given(pageDecider, ...withFile)
      .when({ type: 'ChangePage', changes: { ...content } })
      .then(saved(content), released);
    given(pageDecider, ...withFile, published(1, 'Kites'))
      .when({ type: 'ChangePage', changes: { ...content } })
      .then(saved(content));
    given(pageDecider, ...withFile)
      .when({ type: 'DeletePage' })
      .then(released, { type: 'PageDeleted', data: {} });
  });

  test('lets the file of its oldest revision go when the twenty-first is published', () => {
    const history = [created(), saved(other), published(1, 'Kites')];
    for (let revision = 2; revision <= 20; revision += 1) {
      const title = `Lanterns ${revision}`;
      history.push(saved({ ...content, title }), published(revision, title));
    }
    history.push(saved({ ...content, title: 'Last' }));
    given(pageDecider, ...history)
      .when({ type: 'PublishDraft' })
      .then(published(21, 'Last'), released);
    given(pageDecider, ...history, published(21, 'Last'))
      .when({ type: 'RollBack', to: 1 })
      .rejected('not_found');
  });

  test('is changed by what differs, and not at all by what does not', () => {
    const draft = given(pageDecider, created());
    draft.when({ type: 'ChangePage', changes: { ...content, slug: 'lanterns' } }).unchanged();
    draft
      .when({ type: 'ChangePage', changes: { slug: 'paper' } })
      .then({ type: 'PageSlugChanged', data: { slug: 'paper' } });
    given(pageDecider, created(), published(1))
      .when({ type: 'ChangePage', changes: { slug: 'paper' } })
      .then(
        { type: 'PageSlugChanged', data: { slug: 'paper' } },
        { type: 'PageShown', data: { slug: 'paper', title: 'Lanterns', noindex: false } },
      );
  });

  test('is published with what its draft says, again only with something else', () => {
    given(pageDecider, created()).when({ type: 'PublishDraft' }).then(published(1));
    const open = given(pageDecider, created(), published(1));
    open.when({ type: 'PublishDraft' }).unchanged();
    given(pageDecider, created(), published(1), saved(other))
      .when({ type: 'PublishDraft' })
      .then(published(2, 'Kites'));
    given(pageDecider, created(), published(1), unpublished).when({ type: 'PublishDraft' }).then(published(2));
  });

  test('shows what was published, whatever its draft says meanwhile', () => {
    const { state } = given(pageDecider, created(), published(1), saved(other));
    expect(state?.revisions[0]?.content).toEqual(content);
    expect(state?.draft).toEqual(other);
  });

  test('is rolled back by publishing an old revision as a new one; the draft stays', () => {
    const history = [created(), published(1), saved(other), published(2, 'Kites')];
    const two = given(pageDecider, ...history);
    two.when({ type: 'RollBack', to: 1 }).then(published(3, 'Lanterns', 1));
    two.when({ type: 'RollBack', to: 2 }).unchanged();
    two.when({ type: 'RollBack', to: 3 }).rejected('not_found');
    const { state } = given(pageDecider, ...history, published(3, 'Lanterns', 1));
    expect(state?.revisions[0]).toMatchObject({ revision: 3, of: 1, content });
    expect(state?.draft).toEqual(other);
  });

  test('is scheduled for a time that is still to come, and published when it has come', () => {
    const schedule = (time: string) => ({ type: 'SchedulePublication', at: time, now: at }) as const;
    const later = '2026-01-06T08:00:00.000Z';
    given(pageDecider, created()).when(schedule(later)).then(scheduled(later));
    for (const time of [at, '2026-01-05T07:59:59.999Z'])
      given(pageDecider, created()).when(schedule(time)).rejected('in_past');
    const waiting = given(pageDecider, created(), scheduled(later));
    expect(waiting.state?.status).toBe('scheduled');
    waiting.when(schedule(later)).unchanged();
    waiting.when({ type: 'PublishScheduled', now: '2026-01-06T07:59:59.999Z' }).unchanged();
    waiting.when({ type: 'PublishScheduled', now: later }).then(published(1));
    waiting.when({ type: 'Unpublish' }).then({ type: 'PageUnscheduled', data: {} });
    waiting.when({ type: 'CancelSchedule' }).then({ type: 'PageUnscheduled', data: {} });
    given(pageDecider, created()).when({ type: 'PublishScheduled', now: later }).unchanged();
  });

  test('that is public stays so while the next revision is scheduled', () => {
    const later = '2026-01-06T08:00:00.000Z';
    const open = [created(), published(1), saved(other), scheduled(later)];
    expect(given(pageDecider, ...open).state).toMatchObject({ status: 'published', scheduled_for: later });
    given(pageDecider, ...open)
      .when({ type: 'PublishScheduled', now: later })
      .then(published(2, 'Kites'));
    expect(given(pageDecider, ...open, unpublished).state).toMatchObject({
      status: 'unpublished',
      scheduled_for: null,
    });
  });

  test('is deleted while it was never public, else archived, and stays as it is then', () => {
    given(pageDecider, created()).when({ type: 'DeletePage' }).then({ type: 'PageDeleted', data: {} });
    given(pageDecider, created()).when({ type: 'ArchivePublication' }).rejected('invalid_state');
    const open = given(pageDecider, created(), published(1));
    open.when({ type: 'DeletePage' }).rejected('invalid_state');
    open.when({ type: 'ArchivePublication' }).then(unpublished, { type: 'PageArchived', data: {} });
    const gone = given(pageDecider, created(), published(1), unpublished, { type: 'PageArchived', data: {} });
    gone.when({ type: 'ArchivePublication' }).unchanged();
    for (const refused of [
      { type: 'PublishDraft' },
      { type: 'Unpublish' },
      { type: 'RollBack', to: 1 },
      { type: 'SchedulePublication', at: '2027-01-01T00:00:00.000Z', now: at },
      { type: 'ChangePage', changes: { title: 'x' } },
    ] as const)
      gone.when(refused).rejected('invalid_state');
  });

  test.each(['home', 'terms', 'privacy'] as const)('%s is never removed and keeps its slug', (kind) => {
    const page = given(pageDecider, created(kind, kind), published(1));
    for (const type of ['DeletePage', 'ArchivePublication'] as const) page.when({ type }).rejected('system_page');
    page.when({ type: 'ChangePage', changes: { slug: 'another' } }).rejected('system_page');
    page.when({ type: 'Unpublish' }).then(unpublished);
  });
});
