import type { VersionedCommand } from '@lyceum/eventlog';
import type { Call, Operation, Ports, Reply } from '@lyceum/web';
import type { z } from 'zod';
import type { Done, Given, Resource, Said } from './declaration.ts';
import type { ListOperation } from './list.ts';
import type { Loaded, Loading } from './read.ts';
import type { Rows } from './projection.ts';
import type { paramsOf } from './schema.ts';
import type { Naming } from './text/slugs.ts';

/** A call that names a thing of a resource. */
export type ThingCall<Body extends z.ZodType | undefined = undefined> = Call<{
  params: ReturnType<typeof paramsOf>;
  query: undefined;
  body: Body;
}>;

/** Derives a command from the thing as it was loaded. */
export type Derives<Command, Thing, Viewer> = (
  loaded: Loaded<Thing, Viewer>,
) => VersionedCommand<Command> | Promise<VersionedCommand<Command>>;

/** A command, or what derives it from the thing as it was loaded: asked again when the thing has changed meanwhile. */
export type Wanted<Command, Thing, Viewer> = Command | Derives<Command, Thing, Viewer>;

/** An operation that changes a thing. */
export interface Change<Body extends z.ZodType | undefined, Command, Thing, Viewer> extends Said {
  /** Below the path of the thing, e.g. `/publish`. */
  readonly below?: string;
  readonly body?: Body;
  command(
    call: ThingCall<Body>,
    ports: Ports,
  ): Wanted<Command, Thing, Viewer> | Promise<Wanted<Command, Thing, Viewer>>;
}

/** A call that makes a thing. */
export type CreationCall<Body extends z.ZodType> = Call<{ params: undefined; query: undefined; body: Body }>;

/** An operation that makes a thing. */
export interface Creation<Body extends z.ZodType, Command> extends Said {
  readonly body: Body;
  /** The slug that the client stated, or the title to derive one from; left out where things have none. */
  readonly naming?: ((body: CreationCall<Body>['body']) => Naming) | undefined;
  /** The command that makes the thing of this id, once it has a slug; an empty one where its kind has none. */
  command(
    call: CreationCall<Body>,
    ports: Ports,
    id: string,
  ): ((slug: string) => Command) | Promise<(slug: string) => Command>;
}

/** The operations by which a resource is written. */
export interface Writing<Thing, Command, Viewer> {
  create<Body extends z.ZodType>(said: Creation<Body, Command>): Operation;
  /** Changes one by a merge patch, PATCH on its path; or as `method` and `below` say. */
  change<Body extends z.ZodType | undefined = undefined>(said: Change<Body, Command, Thing, Viewer>): Operation;
  /** Removes one. */
  remove(said: Change<undefined, Command, Thing, Viewer>): Operation;
  /** The answer to a write: a caller who may change a thing sees all of it. */
  written(
    call: Pick<Call, 'school' | 'issuer' | 'at'>,
    ports: Ports,
    done: Done<Thing>,
    added?: object,
  ): Promise<Reply>;
}

/** A resource as its slice uses it: each operation is made of its texts and its command, and is a plain operation then. */
export interface ResourceKit<Thing extends Resource, Command, Viewer, Shown extends object>
  extends Rows<Thing>, Loading<Thing, Viewer>, Writing<Thing, Command, Viewer> {
  /** The same resource with what other areas give it: their things beside and in its own. */
  given(parts: Given<Shown>): ResourceKit<Thing, Command, Viewer, Shown>;
  list<Filters extends z.ZodRawShape = Record<never, never>>(said: ListOperation<Filters>): Operation;
  /** Reads one, as of now. A former slug answers 308 with the address of the present one. */
  get(said: Said): Operation;
}
