import { type Publication, published, scheduled, unscheduled, withdrawn } from './publication.state.ts';

/** The events of a kind of thing that are about its publication, e.g. of a `Page`. */
type PublicationEvent<Noun extends string> =
  | { readonly type: `${Noun}Scheduled`; readonly data: { readonly scheduled_for: string } }
  | { readonly type: `${Noun}Published`; readonly data: Counted }
  | { readonly type: `${Noun}${'Unscheduled' | 'Unpublished' | 'Archived'}`; readonly data: object };

interface Counted {
  readonly revision: number;
  readonly of?: number | undefined;
}

/** A thing after an event about its publication. `at`: when it happened, RFC 3339. */
export function publicationAfter<Content, Of extends Publication<Content>, Noun extends string>(
  noun: Noun,
  state: Of,
  { type, data }: PublicationEvent<Noun>,
  at: string,
): Of {
  switch (type) {
    case `${noun}Scheduled`:
      return scheduled(state, (data as { readonly scheduled_for: string }).scheduled_for);
    case `${noun}Unscheduled`:
      return unscheduled(state);
    case `${noun}Published`:
      return published<Content, Of>(state, data as Counted, at);
    case `${noun}Unpublished`:
      return withdrawn(state, 'unpublished');
    case `${noun}Archived`:
      return withdrawn(state, 'archived');
    default:
      throw new TypeError(`${type} is not about a publication`);
  }
}
