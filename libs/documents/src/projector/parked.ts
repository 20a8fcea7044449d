import type { Incoming } from './incoming.ts';
import type { Collection, Document, Documents, Write } from '../port.ts';
import { wellFormed } from '../collection/text.ts';

/** A stream that a projection could not follow: its events wait, in order, from `version` on; all other streams flow. */
export interface Parked {
  readonly source: string;
  readonly lane: number;
  readonly tenant: string;
  readonly stream: string;
  /** The first event that waits: its position in the lane, and the stream's version after it. */
  readonly position: number;
  readonly version: number;
  readonly type: string;
  /** What the projection threw. */
  readonly error: string;
  /** When it was parked, RFC 3339 UTC. */
  readonly since: string;
  /** Events known to wait. */
  readonly count: number;
}

/**
 * Parked streams are kept in the collection they are missing from, under a tenant that no school can be, so that the
 * mark, the documents and the checkpoint move as one.
 */
const parkedTenant = '_parked';

/** Cannot be a declared field, so it takes part in no query. */
const mark = 'parked-stream';

const pageSize = 200;
const longestError = 500;

/** Names a parked stream in its collection. Streams of two sources, or two tenants, never share a name. */
const parkedId = (source: string, tenant: string, stream: string): string => JSON.stringify([source, tenant, stream]);

/** The checkpoint that counts what was re-applied of a parked stream: the stream's version. */
export const redriveSource = (source: string, tenant: string, stream: string): string =>
  `${source} ${tenant} ${stream}`;

/** Puts a parked stream into its collection. */
export const parking = (parked: Parked): Write => ({
  tenant: parkedTenant,
  id: parkedId(parked.source, parked.tenant, parked.stream),
  body: { [mark]: parked },
});

/** Takes a parked stream out of its collection. */
export const unparking = ({ source, tenant, stream }: Pick<Parked, 'source' | 'tenant' | 'stream'>): Write => ({
  tenant: parkedTenant,
  id: parkedId(source, tenant, stream),
  body: null,
});

/** A stream that stops at an event, because of an error. */
export function parkedAt(source: string, lane: number, event: Incoming, error: unknown, since: string): Parked {
  const { tenant, stream, position, version, type } = event;
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const text = wellFormed(said.slice(0, longestError));
  return { source, lane, tenant, stream, position, version, type, error: text, since, count: 1 };
}

/** One parked stream of a collection, if it is parked. */
export async function parkedStream(
  documents: Documents,
  collection: Collection,
  { source, tenant, stream }: Pick<Parked, 'source' | 'tenant' | 'stream'>,
): Promise<Parked | undefined> {
  return parkedIn(await documents.get(collection, parkedTenant, parkedId(source, tenant, stream)));
}

/** All parked streams of a collection. */
export async function parkedStreams(documents: Documents, collection: Collection): Promise<readonly Parked[]> {
  const all: Parked[] = [];
  for (let after: string | undefined, more = true; more;) {
    const from = after === undefined ? {} : { after: { value: null, id: after } };
    const page = await documents.query(collection, parkedTenant, { limit: pageSize, ...from });
    for (const { body } of page.items) all.push(parkedIn(body)!);
    more = page.more;
    after = page.items.at(-1)?.id;
  }
  return all;
}

const parkedIn = (body: Document | undefined): Parked | undefined => body && (body[mark] as Parked);
