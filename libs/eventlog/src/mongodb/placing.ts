import type { Draft } from '../storage/draft.ts';
import { type LaneIndex, keyOf } from './lane-index.ts';
import { ConcurrencyConflict } from '../errors.ts';
import type { Appended } from '../port.ts';
import type { LaneHead, StoredCommit } from '../storage/store.ts';

/** An append that waits for its place in the lane. */
export interface Waiting {
  readonly draft: Draft;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: Error) => void;
  /** The position that it was last sent to the server for, as long as it is not known what became of it. */
  sentAt?: number;
  /** It has been answered. */
  settled?: boolean;
}

/** A draft and the commit that it would be. */
export interface Placed {
  readonly waiting: Waiting;
  readonly commit: StoredCommit;
}

/** What a group of appends comes to at one head of the lane. */
export interface Placing {
  readonly placed: readonly Placed[];
  /** To be looked up: a commit with the id is stored. */
  readonly repeated: readonly Waiting[];
  /** Lost, unless the id turns out to be stored. Holds once all of `placed` is stored. */
  readonly refused: readonly { readonly waiting: Waiting; readonly conflict: ConcurrencyConflict }[];
  /** Their id is among `placed`: they are for the next round. */
  readonly later: readonly Waiting[];
}

/** The streams whose versions decide about a draft. */
export const streamsOf = (draft: Draft): readonly string[] => [
  ...draft.expectations.map(({ stream }) => stream),
  ...draft.written.map(({ stream }) => stream),
];

/**
 * Numbers the drafts from a head on, each checked against the versions as the ones before it leave them. All versions
 * must be remembered by the index.
 */
export function place(lane: number, index: LaneIndex, head: LaneHead, group: readonly Waiting[]): Placing {
  const placed: Placed[] = [];
  const repeated: Waiting[] = [];
  const refused: { waiting: Waiting; conflict: ConcurrencyConflict }[] = [];
  const later: Waiting[] = [];
  const ids = new Set<string>();
  const ahead = new Map<string, number>();
  let { position, commitId: prev } = head;

  for (const waiting of group) {
    const { draft } = waiting;
    const { tenant, commitId } = draft;
    const version = (stream: string): number => ahead.get(keyOf(tenant, stream)) ?? index.known(tenant, stream) ?? 0;
    const broken = draft.expectations.find((expectation) => version(expectation.stream) !== expectation.version);
    if (index.remembered(tenant, commitId) !== undefined) repeated.push(waiting);
    else if (ids.has(keyOf(tenant, commitId))) later.push(waiting);
    else if (broken) {
      const conflict = new ConcurrencyConflict(broken.stream, broken.version, version(broken.stream));
      refused.push({ waiting, conflict });
    } else {
      const streams = draft.written.map(({ stream, count }) => {
        const before = version(stream);
        return { id: stream, before, after: before + count };
      });
      position += 1;
      placed.push({ waiting, commit: commitFrom(draft, { lane, position, prev, streams }) });
      prev = commitId;
      ids.add(keyOf(tenant, commitId));
      for (const { id, after } of streams) ahead.set(keyOf(tenant, id), after);
    }
  }
  return { placed, repeated, refused, later };
}

type Place = Pick<StoredCommit, 'lane' | 'position' | 'prev' | 'streams'>;

function commitFrom(draft: Draft, at: Place): StoredCommit {
  const { tenant, commitId, fingerprint, at: time, meta, events } = draft;
  return { ...at, tenant, commitId, fingerprint, at: time, meta, events };
}
