import { referenceEvents } from '@lyceum/contracts';
import { type Decider, type Rejection, differences, isRejection, reject } from '@lyceum/kernel';
import {
  type PublicationCode,
  type PublicationCommand,
  decidePublication,
  stepEvents,
} from '../publication/publication.ts';
import { keptContents, publicContent } from '../publication/publication.state.ts';
import { type PageEvent, type StoredPageContent, pageEvents } from './page.events.ts';
import { filesOf } from './page.files.ts';
import { formsAmong } from '../form-blocks/form-block.ts';
import { formSideEvents } from '../forms/form.ts';
import { isReservedSlug, isSystemPage } from './page.slugs.ts';
import { type Page, type PageContent, type PageKind, type PageState, apply, evolve } from './page.state.ts';

/** What should be different: of the draft, and of the slug. */
export interface PageChanges extends Partial<PageContent> {
  readonly slug?: string;
}

/** What can be asked of a page. */
export type PageCommand =
  | PublicationCommand
  | {
      readonly type: 'CreatePage';
      readonly id: string;
      readonly slug: string;
      readonly kind: PageKind;
      readonly content: PageContent;
      readonly by: string;
      /** The slug was made from the title: another one will do. */
      readonly isDerived?: boolean;
    }
  | { readonly type: 'ChangePage'; readonly changes: PageChanges }
  | { readonly type: 'DeletePage' };

/** What a command can be rejected for. */
export type PageCode = PublicationCode | 'slug_taken' | 'reserved_slug' | 'system_page';

const kept = 'The slug is kept for the platform, or for a page that every school has';

type Decision = readonly PageEvent[] | Rejection<PageCode>;

function decide(command: PageCommand, state: PageState): Decision {
  if (command.type === 'CreatePage') return create(command, state);
  if (!state) return reject('not_found', 'There is no such page');
  switch (command.type) {
    case 'ChangePage':
      return change(command.changes, state);
    case 'DeletePage':
      return remove(state);
    case 'ArchivePublication':
      if (isSystemPage(state.kind)) return reject('system_page', 'Every school has this page: unpublish it instead');
      return publication(command, state);
    default:
      return publication(command, state);
  }
}

function create(
  { id: page_id, slug, kind, content, by: created_by, isDerived = false }: Extract<PageCommand, { type: 'CreatePage' }>,
  state: PageState,
): Decision {
  if (state) return reject('invalid_state', 'The page exists already');
  if (!isSystemPage(kind) && isReservedSlug(slug))
    return isDerived ? reject('slug_taken', kept) : reject('reserved_slug', kept);
  const created: PageEvent = {
    type: 'PageCreated',
    data: { page_id, slug, kind, content: stored(content), created_by },
  };
  return [created, ...referenceEvents([], filesOf(content))];
}

const stored = (content: PageContent): StoredPageContent => content as unknown as StoredPageContent;

function change({ slug = '', ...wanted }: PageChanges, state: Page): Decision {
  if (state.status === 'archived') return reject('invalid_state', 'An archived page cannot be changed');
  const isMoved = slug !== '' && slug !== state.slug;
  if (isMoved && isSystemPage(state.kind)) return reject('system_page', 'The slug of this page stays as it is');
  if (isMoved && isReservedSlug(slug)) return reject('reserved_slug', kept);
  const events: PageEvent[] = [];
  if (differences(state.draft, wanted))
    events.push({ type: 'PageDraftSaved', data: { content: stored({ ...state.draft, ...wanted }) } });
  if (isMoved) events.push({ type: 'PageSlugChanged', data: { slug } });
  const content = publicContent(state);
  if (isMoved && content) events.push({ type: 'PageShown', data: shown({ ...state, slug }, content) });
  return withReferences(state, events);
}

function remove(state: Page): Decision {
  if (isSystemPage(state.kind)) return reject('system_page', 'Every school has this page: unpublish it instead');
  if (state.revisions.length > 0) return reject('invalid_state', 'What was public is archived, not deleted');
  return [...referenceEvents(filesNamedBy(state), []), { type: 'PageDeleted', data: {} }];
}

/** What others may know of a page while it says this to everybody. */
const shown = ({ slug }: Pick<Page, 'slug'>, { title, seo }: PageContent) => ({ slug, title, noindex: seo.noindex });

function publication(command: PublicationCommand, state: Page): Decision {
  const steps = decidePublication(command, state);
  if (isRejection(steps)) return steps;
  const events = stepEvents<PageContent, PageEvent>(steps, state, {
    publish: (counted, content) => ({ type: 'PagePublished', data: { ...counted, ...shown(state, content) } }),
    schedule: (scheduled_for) => ({ type: 'PageScheduled', data: { scheduled_for } }),
    unschedule: { type: 'PageUnscheduled', data: {} },
    unpublish: { type: 'PageUnpublished', data: {} },
    archive: { type: 'PageArchived', data: {} },
  });
  return withReferences(state, events);
}

const filesNamedBy = (page: Page): readonly string[] => keptContents(page).flatMap(filesOf);

/** The events, and those of the files that the page names from then on, or no longer. */
function withReferences(before: Page, events: readonly PageEvent[]): readonly PageEvent[] {
  const after = events.reduce<PageState>((state, event) => apply(state, event, { at: '' }), before);
  return [...events, ...referenceEvents(filesNamedBy(before), after ? filesNamedBy(after) : [])];
}

/** The kind of the claims that keep slugs of pages unique in a school. */
export const pageSlug = 'page-slug';

/** The forms that everybody finds on a page. */
const shownForms = (page: PageState) => formsAmong((page && publicContent(page)?.blocks) ?? []);

/** A page: the stream is its id. */
export const pageDecider: Decider<PageState, PageCommand, PageEvent, PageCode> = {
  events: pageEvents,
  initial: null,
  // A draft may be a quarter of a mebibyte, and is saved often.
  snapshot: { version: 1, every: 20 },
  decide,
  evolve,
  claims: (event) =>
    event.type === 'PageCreated' || event.type === 'PageSlugChanged'
      ? [{ kind: pageSlug, value: event.data.slug, rejected: 'slug_taken' }]
      : [],
  sideEvents: (before, after) => {
    const id = after?.id ?? before?.id;
    return id === undefined ? [] : formSideEvents(id, shownForms(before), shownForms(after));
  },
  releases: (event, before) =>
    event.type === 'PageDeleted' ? (before?.slugs ?? []).map((value) => ({ kind: pageSlug, value })) : [],
};
