import { type Collection, type Document, type Documents, type Projection, rowAs } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { lifetimes } from '../lifetimes.ts';
import { type GrantEvent, grantEvents } from './grant.events.ts';

/** A grant as its person finds it. The document's id is its stream. */
export interface GrantDocument extends Document {
  readonly account: string;
  readonly client: string;
  readonly scopes: readonly string[];
  /** RFC 3339. */
  readonly since: string;
  /** RFC 3339: when tokens were last given out; null until the code is redeemed. */
  readonly used: string | null;
  /** Seconds since the epoch: when the last token, or the code, expires. */
  readonly expires: number;
}

/** The grants that are not revoked, to be found by person and client. */
export const grantDocuments: Collection = {
  name: 'grants',
  version: 1,
  fields: { account: 'text', client: 'text', expires: 'number' },
};

/** Whether somebody, or this person, has given a client access that still counts, as far as the read model has heard. */
export async function hasLiveGrant(
  documents: Pick<Documents, 'query'>,
  school: string,
  client: string,
  now: number,
  account?: string,
): Promise<boolean> {
  const where = [
    ...(account === undefined ? [] : [{ field: 'account', is: account }]),
    { field: 'client', is: client },
    { field: 'expires', above: now },
  ];
  return (await documents.query(grantDocuments, school, { where, limit: 1 })).items.length > 0;
}

/** Folds each grant's events into its row; a revoked grant has none. */
export const grantProjection: Projection = {
  collection: grantDocuments,
  key: ({ stream }) => (stream.startsWith('grant-') ? stream : undefined),
  project(recorded, before) {
    const event = upcast(grantEvents, recorded);
    return projected(event, recorded.at, rowAs<GrantDocument>(before));
  },
  erase: { documents: { field: 'account' } },
};

function projected(event: GrantEvent, at: string, row: GrantDocument | undefined): GrantDocument | null {
  if (event.type === 'GrantIssued') {
    const { account, client, scopes, issued } = event.data;
    return { account, client, scopes, since: at, used: null, expires: issued + lifetimes.code };
  }
  if (!row || event.type === 'GrantRevoked') return null;
  if (event.type !== 'TokensIssued' && event.type !== 'RefreshRotated') return row;
  const { access_expires, refresh_expires = 0 } = event.data;
  return { ...row, used: at, expires: Math.max(access_expires, refresh_expires) };
}
