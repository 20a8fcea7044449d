import type { Collection, Document, Projection } from '@lyceum/documents';
import { type Decider, type DomainEvent, upcast } from '@lyceum/kernel';
import type { Resource, ResourceDeclaration } from './declaration.ts';
import { searchable } from './search.ts';

/** The rows of a resource: how they are made of things, and things of them. */
export interface Rows<Thing> {
  readonly collection: Collection;
  readonly projection: Projection;
  thingOf(row: Document): Thing;
}

/** The read model of a resource: each thing's events folded into its row. */
export function rowsOf<Thing extends Resource, State, Event extends DomainEvent>({
  noun,
  decider: { events, evolve, initial },
  present,
  list: { name, version, fields, texts, row = (thing) => thing, thing = (each) => each as never, erase },
}: Pick<ResourceDeclaration<Thing, State, never, Event, string, never>, 'noun' | 'present' | 'list'> & {
  readonly decider: Pick<Decider<State, never, Event>, 'events' | 'evolve' | 'initial'>;
}): Rows<Thing> {
  const collection: Collection = {
    name,
    version,
    fields: { ...fields, search: 'text', created_at: 'text', updated_at: 'text' },
  };
  const thingOf = ({ search: _search, ...rest }: Document): Thing => thing(rest);
  return {
    collection,
    thingOf,
    projection: {
      collection,
      key: ({ stream }) => (stream.startsWith(`${noun}_`) ? stream : undefined),
      project(event, before) {
        const { at, version } = event;
        const state = before ? (thingOf(before) as unknown as State) : initial;
        const next = present(evolve(state, upcast(events, event) as Event, { at, version }));
        return next && ({ ...row(next), search: searchable(texts(next)) } as Document);
      },
      ...(erase ? { erase } : {}),
    },
  };
}
