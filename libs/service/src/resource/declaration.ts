import type { Collection, Condition, Document } from '@lyceum/documents';
import type { Executed, Expectation } from '@lyceum/eventlog';
import type { Decider, DomainEvent, Named, Recorded } from '@lyceum/kernel';
import type { Operation, Ports, StatusTable, View } from '@lyceum/web';
import { type Scope, isScope } from '@lyceum/contracts';
import type { z } from 'zod';
import type { Access } from './access.ts';
import type { Expander } from './expander.ts';

/** What a resource is made of: a thing with a status and times, in a stream of its own, and with a slug where its kind has one. */
export type Resource = Recorded & Partial<Named> & { readonly status: string };

/** What an operation says of itself. Everything else can be said, too, in place of what all resources have in common. */
export type Said = Pick<Operation, 'id' | 'summary' | 'description'> &
  Partial<Omit<Operation, 'handle' | 'body' | 'path' | 'params' | 'query'>>;

/** What a resource adds to the state of its stream, and the streams that it was read from, as they were. */
export interface Addition {
  readonly members: object;
  readonly read: Expectation;
}

/** How lists of a resource are kept and shown. */
export interface ListDeclaration<Thing> {
  /** The read model; `version` is raised when rows become others. `search` is added to its fields. */
  readonly name: string;
  readonly version: number;
  readonly fields: Collection['fields'];
  /** All statuses; archived things are in lists only when `status` asks for them. */
  readonly statuses: readonly [string, ...string[]];
  /** The rows that a list has which is asked for a status, or for none; by the stored status when not given. */
  having?(status: string | undefined, at: string): readonly Condition[];
  /** The texts whose words `q` finds. */
  texts(thing: Thing): readonly (string | null)[];
  /** The row of a thing, and the thing of a row: without what lists do not show. Left out: a row has everything. */
  readonly row?: (thing: Thing) => object;
  readonly thing?: (row: Document) => Thing;
  /** What the rows of an erased person become; left out where things are about nobody. */
  readonly erase?: { documents(subject: string): readonly string[] };
}

/** What other areas give a resource. */
export interface Given<Shown extends object> {
  /** Members of the reply, not of lists, that a read model has. */
  readonly alongside?: (ports: Ports, school: string, id: string) => Promise<object>;
  /** Shows whole what the thing, and each thing of a list, names by id. */
  readonly expands?: { readonly one: Expander<Shown>; readonly each: Expander<Shown> };
}

/** A signed-in member who reads something, and when (RFC 3339 UTC). */
export interface MemberAsking {
  readonly school: string;
  readonly member: string;
  readonly at: string;
  /** What addresses of the school begin with. */
  readonly issuer: string;
}

/** How a resource is shown to clients. */
export interface ShownResource<Thing, Viewer, Shown extends object> extends Given<Shown> {
  /** Where it is, e.g. `/api/products`. */
  readonly path: string;
  /** Its area: scopes are `<area>:read` and `<area>:write`. */
  readonly area: string;
  readonly access: Access<NoInfer<Thing>, Viewer>;
  /** What clients read of one, and of each in a list. */
  readonly reply: z.ZodObject;
  readonly item: z.ZodObject;
  /** A thing as a view shows it. What only the staff see is absent from other views, not null. */
  document(thing: Thing, view: View, id: string): Shown;
  /** What one member sees of a thing beside what all members see, when there is anything: it may change without the thing. */
  forMember?(ports: Ports, asking: MemberAsking, thing: NoInfer<Thing>): Promise<object | undefined>;
  /** The document with whole addresses where it has paths of the school's files. `issuer` is what they begin with. */
  addressed?(shown: Shown, issuer: string): Shown;
  /** Whether something in the document changes without the thing: it is sent whole, also to a client that has the version. */
  isFleeting?(thing: NoInfer<Thing>): boolean;
  /** The document as of a time (RFC 3339), where something in it depends on that. */
  timely?(shown: Shown, at: string): Shown;
  readonly list: ListDeclaration<Thing>;
}

/** A kind of thing that clients list, read, create, change and remove. */
export interface ResourceDeclaration<
  Thing extends Resource,
  State,
  Command,
  Event extends DomainEvent,
  Code extends string,
  Viewer,
  Shown extends object,
> extends ShownResource<Thing, Viewer, Shown> {
  /** Its name in the singular, e.g. `product`: ids begin with it, the path parameter is called so. */
  readonly noun: string;
  readonly decider: Decider<State, Command, Event, Code>;
  /** The thing of a state; null when there is none, or not any more. */
  present(state: State): Thing | null;
  /** The kind of the claims that keep its slugs unique in a school; left out where things have none. */
  readonly slugs?: string;
  /** What each rejection means over HTTP; the error table of the contracts says the same. */
  readonly statuses: StatusTable<Code>;
  /** Members of the state that other streams have. `thing`: gives it as its own stream has it, for what depends on that. */
  readonly addition?: (
    ports: Pick<Ports, 'log'>,
    school: string,
    id: string,
    thing: () => Promise<NoInfer<Thing> | null>,
  ) => Promise<Addition>;
}

/** The scope of an area. Throws when the contracts have none of that name. */
export function scopeOf(area: string, right: 'read' | 'write'): Scope {
  const scope = `${area}:${right}`;
  if (!isScope(scope)) throw new Error(`there is no scope ${scope}`);
  return scope;
}

/** What a write led to: null when the thing is gone. */
export type Done<Thing> = Omit<Executed<Thing | null>, 'events' | 'replayed'>;
