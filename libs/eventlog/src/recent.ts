import { atPlace, placeOf } from './lane.ts';
import { fromLine, toLine } from './line.ts';
import { PlaceIndex } from './place-index.ts';
import { idKey, idSlot, slotOf, streamKey } from './sqlite-key.ts';
import { type StoredCommit, touches } from './store.ts';

interface RecentLane {
  /** Position of the first line; the others follow it. */
  readonly first: number;
  readonly lines: string[];
}

/** Commits in memory, added in lane order, found by place, by id and by stream. Kept as text: few objects live long. */
export class RecentCommits {
  /** Where the commits of a stream are, by `streamKey` and version. */
  readonly touches = new PlaceIndex();
  /** Where commits are by `idKey`. */
  readonly ids = new PlaceIndex();
  readonly #lanes = new Map<number, RecentLane>();
  /** Lines since the last `seal`, and where each stands. */
  #open: { readonly lines: string[]; readonly at: number }[] = [];
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
    if (!lane) this.#lanes.set(commit.lane, (lane = { first: commit.position, lines: [] }));
    this.#open.push({ lines: lane.lines, at: lane.lines.push(line) - 1 });
    const place = placeOf(commit);
    this.ids.add(idSlot(commit.commitId), [idKey(commit.commitId), 0, place]);
    for (const { id, after } of commit.streams) {
      const key = streamKey(commit.tenant, id);
      this.touches.add(slotOf(key), [key, after, place]);
    }
    this.#size += line.length;
  }

  /** The lines added since the last call, as one text of which they are now parts: one object lives on, not several a line. */
  seal(): string {
    const text = this.#open.map(({ lines, at }) => lines[at]!).join('\n');
    let from = 0;
    for (const { lines, at } of this.#open) {
      const to = from + lines[at]!.length;
      lines[at] = text.slice(from, to);
      from = to + 1;
    }
    this.#open = [];
    return text;
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
    return this.ids
      .places(idSlot(commitId))
      .map((place) => this.#at(place))
      .find((commit) => commit.tenant === tenant && commit.commitId === commitId);
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
    for (const place of this.touches.places(slotOf(streamKey(tenant, stream))).reverse()) {
      const version = this.#touched(place, tenant, stream)?.before;
      if (version !== undefined) return version;
    }
    return undefined;
  }

  /** The commits that touch a stream after a version, in order. */
  touching(tenant: string, stream: string, after: number): readonly StoredCommit[] {
    const places = this.touches.places(slotOf(streamKey(tenant, stream)), after).reverse();
    return places
      .map((place) => this.#at(place))
      .filter((commit) => commit.tenant === tenant && touches(commit, stream, after));
  }

  /** Each lane's first position and lines, lanes ascending. */
  lines(): readonly (readonly [lane: number, first: number, lines: readonly string[]])[] {
    const lanes = [...this.#lanes].sort(([a], [b]) => a - b);
    return lanes.map(([lane, { first, lines }]) => [lane, first, lines]);
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
