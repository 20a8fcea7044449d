import { type Collection, type Document, type Projection, rowAs } from '@lyceum/documents';
import { type Decider, type DomainEvent, upcast } from '@lyceum/kernel';
import type { ListDeclaration, Resource } from './declaration.ts';
import { searchable } from './text/search.ts';

/** The rows of a resource: how they are made of things, and things of them. */
export interface Rows<Thing> {
  readonly collection: Collection;
  readonly projection: Projection;
  thingOf(row: Document): Thing;
}

/** The read model of a resource: each thing's events folded into its row. */
export function rowsOf<Thing extends Resource, State, Command, Event extends DomainEvent, Code extends string>({
  noun,
  decider: { events, evolve, initial },
  present,
  list: { name, version, fields, texts, row = (each) => each, thing = (each) => rowAs<Thing>(each), erase },
}: {
  readonly noun: string;
  readonly decider: Decider<State, Command, Event, Code>;
  present(state: State): Thing | null;
  readonly list: ListDeclaration<Thing>;
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
