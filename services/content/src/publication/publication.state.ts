/** What something that is published goes through, in this order; what was unpublished may be published again. */
export const publicationStatuses = ['draft', 'scheduled', 'published', 'unpublished', 'archived'] as const;

/** One of them. */
export type PublicationStatus = (typeof publicationStatuses)[number];

/** What was or is public. */
export interface Revision<Content> {
  /** Counts from 1, without gaps. */
  readonly revision: number;
  /** RFC 3339. */
  readonly published_at: string;
  /** The revision that this one repeats, when it is one that was rolled back to. */
  readonly of?: number;
  readonly content: Content;
}

/** Something that is written, published and written on: a page, a post. */
export interface Publication<Content> {
  readonly status: PublicationStatus;
  /** What is being written: nobody but its writers sees it. */
  readonly draft: Content;
  /** The newest twenty, newest first; the first is public while `status` is published. */
  readonly revisions: readonly Revision<Content>[];
  /** When the draft is to be published (RFC 3339); null = not by itself. */
  readonly scheduled_for: string | null;
  /** First publication; null = never. */
  readonly published_at: string | null;
}

/** How many revisions can be rolled back to, the newest included. */
export const keptRevisions = 20;

/** Something of which there is nothing but a draft. */
export const drafted = <Content>(draft: Content): Publication<Content> => ({
  status: 'draft',
  draft,
  revisions: [],
  scheduled_for: null,
  published_at: null,
});

/** The same with a draft that was saved. */
export const redrafted = <Content, Of extends Publication<Content>>(state: Of, draft: Content): Of => ({
  ...state,
  draft,
});

/** The same that is to be published at a time. What is public stays public until then. */
export const scheduled = <Of extends Publication<unknown>>(state: Of, scheduled_for: string): Of => ({
  ...state,
  status: state.status === 'published' ? state.status : 'scheduled',
  scheduled_for,
});

/** The same that is not to be published by itself any more. */
export const unscheduled = <Of extends Publication<unknown>>(state: Of): Of => ({
  ...state,
  status: state.status === 'scheduled' ? restingStatus(state) : state.status,
  scheduled_for: null,
});

const restingStatus = ({ revisions }: Publication<unknown>): PublicationStatus =>
  revisions.length === 0 ? 'draft' : 'unpublished';

/** The same with another revision, which is public now: the draft, or again the content of an earlier one. */
export function published<Content, Of extends Publication<Content>>(
  state: Of,
  { revision, of }: { readonly revision: number; readonly of?: number | undefined },
  published_at: string,
): Of {
  const repeated = of === undefined ? undefined : state.revisions.find((each) => each.revision === of);
  const next: Revision<Content> = {
    revision,
    published_at,
    ...(of === undefined ? {} : { of }),
    content: repeated?.content ?? state.draft,
  };
  return {
    ...state,
    status: 'published',
    revisions: [next, ...state.revisions].slice(0, keptRevisions),
    scheduled_for: of === undefined ? null : state.scheduled_for,
  };
}

/** The same that nobody but its writers sees any more, and that waits for nothing. */
export const withdrawn = <Of extends Publication<unknown>>(state: Of, status: 'unpublished' | 'archived'): Of => ({
  ...state,
  status,
  scheduled_for: null,
});

/** What everybody sees; undefined while nothing is public. */
export const publicContent = <Content>({ status, revisions }: Publication<Content>): Content | undefined =>
  status === 'published' ? revisions[0]?.content : undefined;

/** What stands for it in lists of its writers: what is public or was public last, else the draft. */
export const knownContent = <Content>({ revisions, draft }: Publication<Content>): Content =>
  revisions[0]?.content ?? draft;

/** Every content that is kept: the draft, and what can be rolled back to. */
export const keptContents = <Content>({ draft, revisions }: Publication<Content>): readonly Content[] => [
  draft,
  ...revisions.map(({ content }) => content),
];
