import { atPlace, placeOf } from '../lane.ts';
import { fromLine, toLine } from '../storage/line.ts';
import { PlaceIndex } from './place-index.ts';
import { Row } from './row.ts';
import { idKey, idSlot, slotOf, streamKey } from './packed-key.ts';
import { type StoredCommit, touches } from '../storage/store.ts';

/** Commits of one lane, one after the other from a place on, as lines of a row: which, from which on, and how many. */
export type RunRow = readonly [place: number, row: number, first: number, count: number];

interface RecentLane {
  /** Position of the first line; the others follow it. */
  readonly first: number;
  readonly lines: string[];
  /** Lines that are in rows. */
  sealed: number;
}

/** Characters of a row at most: as many as the engine puts into one page. */
const roomOfRow = 4_000;

/** Commits in memory, added in lane order, found by place, by id and by stream. Kept as text: few objects live long. */
export class RecentCommits {
  /** Where the commits of a stream are, by `streamKey` and version. */
  readonly touches = new PlaceIndex();
  /** Where commits are by `idKey`. */
  readonly ids = new PlaceIndex();
  /** Where the lines of rows are. */
  readonly runs: RunRow[] = [];
  readonly #lanes = new Map<number, RecentLane>();
  #size = 0;

  get count(): number {
    return this.ids.size;
  }

  /** Characters of all lines, roughly the memory they take. */
  get size(): number {
    return this.#size;
  }

  add(commit: StoredCommit): void {
    const line = toLine(commit);
    let lane = this.#lanes.get(commit.lane);
    if (!lane) this.#lanes.set(commit.lane, (lane = { first: commit.position, lines: [], sealed: 0 }));
    lane.lines.push(line);
    const place = placeOf(commit);
    this.ids.add(idSlot(commit.commitId), [idKey(commit.commitId), 0, place]);
    for (const { id, after } of commit.streams) {
      const key = streamKey(commit.tenant, id);
      this.touches.add(slotOf(key), [key, after, place]);
    }
    this.#size += line.length;
  }

  /** The lines added since the last call as rows, the first of which has the number `row`: lane by lane, ascending. */
  seal(row: number, room = roomOfRow): readonly string[] {
    const rows: Row[] = [];
    for (const [number, lane] of [...this.#lanes].sort(([a], [b]) => a - b))
      while (lane.sealed < lane.lines.length) {
        const open = rows.at(-1);
        const first = open?.count ?? 0;
        const count = open?.take(lane.lines, lane.sealed) ?? 0;
        if (count === 0) {
          rows.push(new Row(room));
          continue;
        }
        const place = placeOf({ lane: number, position: lane.first + lane.sealed });
        this.runs.push([place, row + rows.length - 1, first, count]);
        lane.sealed += count;
      }
    return rows.map((each) => each.text());
  }

  /** Version of a stream after its newest commit here; undefined when none is here. */
  version(tenant: string, stream: string): number | undefined {
    for (const place of this.touches.places(slotOf(streamKey(tenant, stream)))) {
      const version = this.#touched(place, tenant, stream)?.after;
      if (version !== undefined) return version;
    }
    return undefined;
  }

  find(tenant: string, commitId: string): StoredCommit | undefined {
    for (const place of this.ids.places(idSlot(commitId))) {
      const commit = this.#at(place);
      if (commit.tenant === tenant && commit.commitId === commitId) return commit;
    }
    return undefined;
  }

  /** Position of the oldest commit of a lane here; Infinity when none is here. */
  first(lane: number): number {
    return this.#lanes.get(lane)?.first ?? Infinity;
  }

  /** Up to `limit` commits of a lane from a position on, or from the first one here. */
  range(lane: number, from: number, limit: number): readonly StoredCommit[] {
    const { first, lines } = this.#lanes.get(lane) ?? { first: 1, lines: [] };
    const start = Math.max(from - first, 0);
    return lines.slice(start, start + limit).map(fromLine);
  }

  /** Version of a stream before its oldest commit here; undefined when none is here. */
  versionBefore(tenant: string, stream: string): number | undefined {
    for (const place of this.touches.places(slotOf(streamKey(tenant, stream))).toReversed()) {
      const version = this.#touched(place, tenant, stream)?.before;
      if (version !== undefined) return version;
    }
    return undefined;
  }

  /** The commits that touch a stream after a version, in order. */
  touching(tenant: string, stream: string, after: number): readonly StoredCommit[] {
    const places = this.touches.places(slotOf(streamKey(tenant, stream)), after).toReversed();
    return places
      .map((place) => this.#at(place))
      .filter((commit) => commit.tenant === tenant && touches(commit, stream, after));
  }

  #touched(place: number, tenant: string, stream: string) {
    const commit = this.#at(place);
    return commit.tenant === tenant ? commit.streams.find(({ id }) => id === stream) : undefined;
  }

  #at(place: number): StoredCommit {
    const { lane, position } = atPlace(place);
    const { first, lines } = this.#lanes.get(lane)!;
    return fromLine(lines[position - first]!);
  }
}
