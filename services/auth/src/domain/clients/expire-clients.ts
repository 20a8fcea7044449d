import { type Tenants, type Work, forEachTenant, inRounds } from '@lyceum/service';
import { clientDocuments } from './client.projection.ts';

/** How clients that are over are ended, and how often. */
export interface ClientExpiry extends Pick<Tenants, 'documents'> {
  /** Ends what is over in a school; returns how many registrations that were. */
  readonly sweep: (school: string) => Promise<number>;
  /** Milliseconds until the first round, as for others when not given, and between two. */
  readonly first?: number;
  readonly every?: number;
  /** Reports a failure, of a school or of all; it is tried again in the next round. */
  readonly onError: (error: unknown, school?: string) => void;
}

/** Looks at every school with clients four times an hour, and again at once where there was something to end. */
export function keepExpiring({ documents, sweep, first, every = 900_000, onError }: ClientExpiry): Work {
  const tenants = { documents, collection: clientDocuments, onError };
  const round = (signal: AbortSignal) =>
    forEachTenant({ ...tenants, signal }, async (school) => {
      // A turn is short, so that no school waits for another's heap.
      for (let turn = 0; turn < 10 && !signal.aborted; turn += 1) if ((await sweep(school)) === 0) return;
    });
  return inRounds(round, { ...(first !== undefined && { first }), every, onError });
}
