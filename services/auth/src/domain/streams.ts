import { uuidv5 } from '@lyceum/kernel';

/** The aggregates of this service; an id is `<kind>_<UUID>`, its stream `<kind>-<UUID>`. */
export type Kind = 'client' | 'account' | 'grant';

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const idForm = new RegExp(`^(client|account|grant)_(${uuid})$`);

/** The stream of an id; undefined when the text cannot be an id of the kind, so nothing from outside becomes a stream name. */
export function streamOf(kind: Kind, id: string): string | undefined {
  const [, known, rest] = idForm.exec(id) ?? [];
  return known === kind ? `${kind}-${rest}` : undefined;
}

/** The stream of an id that this service has made. Throws for any other text. */
export function requireStream(kind: Kind, id: string): string {
  const stream = streamOf(kind, id);
  if (stream === undefined) throw new Error(`this is not the id of a ${kind}`);
  return stream;
}

/** The id of a stream. */
export const idOf = (kind: Kind, stream: string): string => `${kind}_${stream.slice(kind.length + 1)}`;

/** How often the answers to the refreshes of a grant were asked for again. `grant`: the id of one that exists. */
export const refreshRetriesStream = (grant: string): string => `refresh-retries-${grant.slice('grant_'.length)}`;

/** The session of a cookie. Only the hash of the cookie is ever written. */
export const sessionStream = (cookieHash: string): string => `session-${cookieHash}`;

/** What a person agreed to for a client. */
export const consentStream = (account: string, client: string): string =>
  `consent-${uuidv5('auth', 'consent', account, client)}`;

/** The signing keys of a school. */
export const keyRingStream = 'keys';
