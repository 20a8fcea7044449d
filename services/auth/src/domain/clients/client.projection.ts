import { type Collection, type Document, type Projection, rowAs } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { type ClientMetadata, clientEvents } from './client.events.ts';
import { type Client, clientDecider, expiryOf, isPresent } from './client.ts';

/** A client as operators and the sweeper find it. The document's id is its stream. */
export interface ClientDocument extends Document {
  readonly kind: Client['kind'];
  readonly metadata: ClientMetadata;
  /** RFC 3339. */
  readonly registered: string;
  /** RFC 3339; null = it never got a token. */
  readonly lastUse: string | null;
  readonly used: boolean;
  readonly disabled: boolean;
  readonly tokensNotBefore: number;
  /** Seconds since the epoch; null = never. */
  readonly expires: number | null;
}

/** The clients of each school that are there now. */
export const clientDocuments: Collection = {
  name: 'clients',
  version: 1,
  fields: { kind: 'text', used: 'boolean', registered: 'text', expires: 'number' },
};

const rows: Projection = {
  collection: clientDocuments,
  key: ({ stream }) => (stream.startsWith('client-') ? stream : undefined),
  project(recorded, before) {
    const event = upcast(clientEvents, recorded);
    const { at, version } = recorded;
    const state = clientDecider.evolve(before && clientOf(rowAs<ClientDocument>(before)), event, { at, version });
    return isPresent(state) ? rowOf(state) : null;
  },
};

/** How many clients a school has: one document for each school. */
export const clientCounts: Collection = { name: 'client-counts', version: 1, fields: {} };
export const countOfClients = 'all';

const counts: Projection = {
  collection: clientCounts,
  key: ({ stream, type }) => (stream.startsWith('client-') && type in changes ? countOfClients : undefined),
  project: ({ type }, before) => ({ count: Number(before?.['count'] ?? 0) + changes[type]! }),
};

const changes: Readonly<Record<string, number>> = { ClientRegistered: 1, ClientDeleted: -1, ClientExpired: -1 };

/** The read models over clients. */
export const clientProjections: readonly Projection[] = [rows, counts];

/** Secrets stay in the log. */
function rowOf(state: Client): ClientDocument {
  const { kind, metadata, registered, lastUse = null, disabled, tokensNotBefore } = state;
  const expires = expiryOf(state) ?? null;
  return { kind, metadata, registered, lastUse, used: lastUse !== null, disabled, tokensNotBefore, expires };
}

const clientOf = ({ kind, metadata, registered, lastUse, disabled, tokensNotBefore }: ClientDocument): Client => ({
  kind,
  metadata,
  secrets: [],
  registrationHash: undefined,
  registered,
  renamed: 0,
  lastUse: lastUse ?? undefined,
  disabled,
  tokensNotBefore,
});
