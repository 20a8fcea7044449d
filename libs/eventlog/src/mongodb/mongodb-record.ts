import { storedJson } from '@lyceum/kernel';
import { checksumOf } from '../storage/line.ts';
import { Damaged } from '../errors.ts';
import type { Touched } from '../port.ts';
import type { StoredCommit } from '../storage/store.ts';

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
  /** The checksum of the commit; records of older releases have none. */
  readonly crc?: number;
}

type PackedHead = [tenant: string, cid: string, fp: string, at: string, ...streams: [string, number, number][]];

/** The `_id` of a position: digits of fixed width, so that text order is number order. */
export const idOf = (position: number): string => String(position).padStart(16, '0');

export function recordOf(commit: StoredCommit): CommitRecord {
  const { position, tenant, streams, commitId: cid, prev, fingerprint: fp, at, meta, events: ev } = commit;
  const crc = checksumOf(commit);
  return { _id: idOf(position), tenant, streams: [...streams], cid, prev, fp, at, meta, ev, crc };
}

/** The commit, when it is what its checksum says. Throws `Damaged`. */
function sound(commit: StoredCommit, crc: number | undefined): StoredCommit {
  if (crc !== undefined && crc !== checksumOf(commit)) throw new Damaged(commit.lane, commit.position);
  return commit;
}

export function commitOf(lane: number, record: CommitRecord): StoredCommit {
  const { _id, tenant, streams, cid: commitId, prev, fp: fingerprint, at, meta, ev: events, crc } = record;
  const position = Number(_id);
  return sound({ lane, position, tenant, commitId, prev, fingerprint, at, meta, streams, events }, crc);
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
  /** As in `CommitRecord`. */
  readonly crc?: number;
}

export function packed(commit: StoredCommit): PackedRecord {
  const { position, prev, tenant, commitId, fingerprint, at, streams, meta, events } = commit;
  const touched = streams.map(({ id, before, after }): [string, number, number] => [id, before, after]);
  const head: PackedHead = [tenant, commitId, fingerprint, at, ...touched];
  const text = `${JSON.stringify(head)}\n${meta}\n${events}`;
  return { _id: idOf(position), prev, text, crc: checksumOf(commit) };
}

export function unpacked(lane: number, { _id, prev, text, crc }: PackedRecord): StoredCommit {
  const position = Number(_id);
  const first = text.indexOf('\n');
  const second = text.indexOf('\n', first + 1);
  const [tenant, commitId, fingerprint, at, ...touched] = headIn(text.slice(0, first), lane, position);
  const streams = touched.map(([id, before, after]) => ({ id, before, after }));
  const [meta, events] = [text.slice(first + 1, second), text.slice(second + 1)];
  return sound({ lane, position, tenant, commitId, prev, fingerprint, at, meta, streams, events }, crc);
}

function headIn(text: string, lane: number, position: number): PackedHead {
  try {
    return storedJson(text);
  } catch {
    throw new Damaged(lane, position);
  }
}
