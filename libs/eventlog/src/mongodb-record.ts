import type { Touched } from './port.ts';
import type { StoredCommit } from './store.ts';

/**
 * A commit as a MongoDB-wire server keeps it, one document per append, never changed. Event data and meta are JSON text,
 * because FerretDB refuses dots in keys and nested arrays.
 */
export interface CommitRecord {
  /** The position; its uniqueness is the only arbiter of order. */
  readonly _id: string;
  readonly tenant: string;
  readonly streams: Touched[];
  readonly cid: string;
  readonly prev: string;
  readonly fp: string;
  readonly at: string;
  readonly meta: string;
  /** See `Draft.events`. */
  readonly ev: string;
}

/** The `_id` of a position: digits of fixed width, so that text order is number order. */
export const idOf = (position: number): string => String(position).padStart(16, '0');

export function recordOf(commit: StoredCommit): CommitRecord {
  const { position, tenant, streams, commitId: cid, prev, fingerprint: fp, at, meta, events: ev } = commit;
  return { _id: idOf(position), tenant, streams: [...streams], cid, prev, fp, at, meta, ev };
}

export function commitOf(lane: number, record: CommitRecord): StoredCommit {
  const { _id, tenant, streams, cid: commitId, prev, fp: fingerprint, at, meta, ev: events } = record;
  return { lane, position: Number(_id), tenant, commitId, prev, fingerprint, at, meta, streams, events };
}
