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

type PackedHead = [tenant: string, cid: string, fp: string, at: string, ...streams: [string, number, number][]];

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

/**
 * A commit as FerretDB 1.x keeps it. That server takes apart each field of each document that it stores or reads, and
 * looks for an `_id` by reading all texts from the first one on, so there are few fields and the text is short.
 */
export interface PackedRecord {
  /** As in `CommitRecord`. */
  readonly _id: string;
  readonly prev: string;
  /** Three lines of JSON: the other parts, meta, events. */
  readonly text: string;
}

export function packed(commit: StoredCommit): PackedRecord {
  const { position, prev, tenant, commitId, fingerprint, at, streams, meta, events } = commit;
  const touched = streams.map(({ id, before, after }): [string, number, number] => [id, before, after]);
  const head: PackedHead = [tenant, commitId, fingerprint, at, ...touched];
  return { _id: idOf(position), prev, text: `${JSON.stringify(head)}\n${meta}\n${events}` };
}

export function unpacked(lane: number, { _id, prev, text }: PackedRecord): StoredCommit {
  const first = text.indexOf('\n');
  const second = text.indexOf('\n', first + 1);
  const [tenant, commitId, fingerprint, at, ...touched] = JSON.parse(text.slice(0, first)) as PackedHead;
  const streams = touched.map(([id, before, after]) => ({ id, before, after }));
  const [meta, events] = [text.slice(first + 1, second), text.slice(second + 1)];
  return { lane, position: Number(_id), tenant, commitId, prev, fingerprint, at, meta, streams, events };
}
