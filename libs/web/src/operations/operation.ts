import type { ErrorCode, Role, Scope } from '@lyceum/contracts';
import type { Collection, Documents, Query } from '@lyceum/documents';
import type { Ephemeral } from '@lyceum/ephemeral';
import type { EventLog } from '@lyceum/eventlog';
import type { Clock, Ids, Meta, Tracer } from '@lyceum/kernel';
import type { Principal } from '@lyceum/oauth';
import type { z } from 'zod';
import type { Expansions } from './expansion.ts';

/** How much a caller sees: the public, a signed-in person, or staff who hold the area's scope. */
export type View = 'anonymous' | 'member' | 'staff';

/** What handlers may use. */
export interface Ports {
  readonly log: EventLog;
  readonly documents: Documents;
  readonly ephemeral: Ephemeral;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Makes addresses of private files; given in services that show some. */
  readonly files?: FileAddresses;
  /** Given where traces are told of. */
  readonly tracer?: Tracer | undefined;
}

/** Where a reader gets a file, and until when (RFC 3339). */
export interface FileAddress {
  readonly url: string;
  readonly url_expires_at: string;
}

/**
 * Makes addresses by which whoever has them reads a private file for some hours, or until a time (RFC 3339). Only for readers
 * who are entitled to it.
 */
export interface FileAddresses {
  addressOf(
    at: Pick<Call, 'school' | 'issuer' | 'at'>,
    file: { readonly file_id: string; readonly size: number },
    until?: string,
  ): FileAddress | undefined;
}

/** Named parts of a request, each a zod object; a part that is absent is not accepted. */
export interface RequestSchemas {
  readonly params?: z.ZodObject | undefined;
  readonly query?: z.ZodObject | undefined;
  readonly body?: z.ZodType | undefined;
}

type Parsed<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : undefined;

/** A request after authentication, authorisation and parsing. */
export interface Call<S extends RequestSchemas = RequestSchemas> {
  readonly school: string;
  /** The issuer of the school: its base URL, which addresses in replies begin with. */
  readonly issuer: string;
  /** Undefined = anonymous. */
  readonly principal: Principal | undefined;
  readonly view: View;
  readonly params: Parsed<S['params']>;
  readonly query: Parsed<S['query']>;
  readonly body: Parsed<S['body']>;
  /** RFC 3339 UTC time of the request. */
  readonly at: string;
  readonly meta: Meta;
  /** The commit id and fingerprint for `execute`: derived from the Idempotency-Key when there is one, random otherwise. */
  readonly commit: { readonly commitId: string; readonly fingerprint: string };
  /** The versions in If-Match, any of which may be the present one; undefined when absent or `*`. */
  readonly expected: readonly number[] | undefined;
  /** The page that is asked for, ready for `documents.query`. The first 20 when the operation has no `listQuery`. */
  readonly page: Pick<Query, 'limit' | 'after'>;
  /** What the caller has already seen (`Consistency-Token`), and how long it would wait for it, milliseconds (`Prefer: wait`). */
  readonly seen: Seen | undefined;
  readonly requestId: string;
  /** The address that the request came from, as the gateway says; '' where it says none. */
  readonly address: string;
  /** Those of the operation's own headers that were sent, by the names that it declares. */
  readonly headers: Readonly<Record<string, string>>;
  /** Given where the operation `streams` and the caller accepts that: the reply may then have `pieces`. */
  readonly streaming?: Streaming;
  /** Given where the operation `streams` and the caller wants one answer, which may come later. */
  readonly waiting?: Waiting;
  /** The body as it arrives, where the operation `takes` a media type of its own. */
  readonly incoming?: AsyncIterable<Uint8Array>;
}

/** A place in this service's log that the caller has seen. */
interface Seen {
  readonly lane: number;
  readonly position: number;
  /** Milliseconds. */
  readonly wait: number;
  /** Whether the caller would rather have no answer than one without it. @see RFC 7240 §4.4 */
  readonly isStrict: boolean;
}

/** A caller who wants one answer, and would rather wait a while than get an empty one. */
export interface Waiting extends Pick<Streaming, 'address' | 'gone'> {
  /** Milliseconds that the caller would wait (`Prefer: wait`), at most 30,000; 0 = not at all. @see RFC 7240 §4.3 */
  readonly wait: number;
}

/** A caller who stays and listens. */
export interface Streaming {
  /** Where the caller left off. @see HTML §9.2.4 */
  readonly lastEventId: string | undefined;
  /** The address that the request came from, as the gateway says. */
  readonly address: string;
  /** Aborted when the caller is gone. */
  readonly gone: AbortSignal;
}

/**
 * What a handler answers. `mount` filters the body by the reply schema and the view, then adds `view` (to objects under
 * `/api`), ETag, Consistency-Token and, for lists, `next_cursor` and `Link`.
 */
export interface Reply {
  /** Default: the operation's `status`. */
  readonly status?: number;
  readonly body?: unknown;
  /** In place of a body, where the operation `alsoGives` another media type than JSON. */
  readonly text?: string;
  /** In place of a body, to a caller who is `streaming`: sent as they come. */
  readonly pieces?: AsyncIterable<string>;
  /** Stream version: becomes the strong ETag. */
  readonly version?: number;
  /** The body has addresses that end: it is sent whole, also to a client that has this version. */
  readonly fleeting?: boolean;
  /** Where the write or read was observed: becomes Consistency-Token. */
  readonly observed?: { readonly lane: number; readonly position: number };
  /** Where the next page of a list begins; null or absent on the last page. Becomes the signed `next_cursor` and `Link`. */
  readonly next?: Query['after'] | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * One HTTP operation, declared once: it becomes the route, the parsing, the types, the reply filter and the OpenAPI entry.
 *
 * Access, in this order: a bad token is 401 always; no token is the anonymous view if `anonymous` is true, else 403
 * `access_denied`; a token must hold `scope` (403 `insufficient_scope` otherwise) and the person one of `roles` (403 `access_denied`).
 */
export interface Operation<S extends RequestSchemas = RequestSchemas> {
  /** operationId, camelCase verb + noun. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** OpenAPI path template, e.g. `/api/courses/{course}`. */
  readonly path: string;
  readonly area: string;
  readonly summary: string;
  readonly description?: string;
  readonly scope?: Scope;
  /** In place of `scope`: a token needs any of these. The handler says which one, by what the path names: see `requireScope`. */
  readonly anyScope?: readonly [Scope, ...Scope[]];
  readonly anonymous: boolean;
  /** Roles that may call it with a token; default all. */
  readonly roles?: readonly Role[];
  /** Roles that get the staff view when they hold `scope`; default owner, admin, lecturer. */
  readonly staff?: readonly Role[];
  readonly params?: S['params'];
  readonly query?: S['query'];
  readonly body?: S['body'];
  /** Success status, e.g. 200, 201, 204. */
  readonly status: number;
  /** What a 202 with the same reply means, where it may take longer until what was asked for is decided. @see RFC 7240 §4.1 */
  readonly pending?: string;
  /**
   * Media type of the request when it is not JSON: the handler reads `incoming` itself, however long it is. With a `body`
   * beside it the client chooses, and `body` is undefined where it chose this one.
   */
  readonly takes?: string;
  /** Largest JSON body, bytes, where it is not that of every operation. */
  readonly bodyLimit?: number;
  /** Media type of a success when it is not JSON: its body is text, or pieces of text that are sent as they come. */
  readonly gives?: string;
  /** Media type of a success beside JSON: the handler gives its body as `text` where it is asked for by a parameter. */
  readonly alsoGives?: string;
  /** Media type of a success for those who accept it, beside JSON: a stream of text that goes on until somebody leaves. */
  readonly streams?: 'text/event-stream';
  /** Schema of a success body. Fields marked `.meta({ sees: 'staff' })` or `'member'` are removed for lesser views. */
  readonly reply?: z.ZodType;
  /** What of a success, or of each thing in a list, can be shown whole: the query then has `expand`. */
  readonly expands?: Expansions;
  /** If-Match: `required` answers 428 without it; `accepted` compares when sent. */
  readonly ifMatch?: 'required' | 'accepted';
  /** Idempotency-Key, which every write accepts: `required` answers 400 without it. */
  readonly idempotencyKey?: 'required';
  /** Request headers of its own: what each is for, by its name. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The read model over the service's own log that answers are made from. `mount` waits until it has what the caller has
   * seen (`Consistency-Token` with `Prefer: wait`), and answers with the token of what it shows.
   */
  readonly readModel?: Collection;
  /** Error codes of this operation beyond those that `mount` itself answers. */
  readonly errors?: readonly ErrorCode[];
  handle(call: Call<S>, ports: Ports): Promise<Reply>;
}

type Part<T> = T | undefined;

/** Types a declaration: the handler's call follows from its schemas. */
export function operation<
  Params extends Part<z.ZodObject> = undefined,
  Query extends Part<z.ZodObject> = undefined,
  Body extends Part<z.ZodType> = undefined,
>(declared: Operation<{ params: Params; query: Query; body: Body }>): Operation {
  return declared as unknown as Operation;
}
