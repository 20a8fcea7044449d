import { atPlace, placeOf } from './lane.ts';
import { fromLine, toLine } from './line.ts';
import type { StoredCommit } from './store.ts';

interface RecentLane {
  /** Position of the first line; the others follow it. */
  readonly first: number;
  readonly lines: string[];
}

interface RecentStream {
  version: number;
  /** Pairs: the version after a commit, and the commit's place. */
  readonly touched: number[];
}

interface RecentTenant {
  /** Place of each commit by its id. */
  readonly ids: Map<string, number>;
  readonly streams: Map<string, RecentStream>;
}

/** Commits in memory, added in lane order, found by place, by id and by stream. Kept as lines: few objects live long. */
export class RecentCommits {
  readonly #lanes = new Map<number, RecentLane>();
  readonly #tenants = new Map<string, RecentTenant>();
  #count = 0;
  #size = 0;

  get count(): number {
    return this.#count;
  }

  /** Characters of all lines, roughly the memory they take. */
  get size(): number {
    return this.#size;
  }

  /** Returns the commit's line. */
  add(commit: StoredCommit): string {
    const line = toLine(commit);
    const lane = this.#lanes.get(commit.lane);
    if (lane) lane.lines.push(line);
    else this.#lanes.set(commit.lane, { first: commit.position, lines: [line] });
    let tenant = this.#tenants.get(commit.tenant);
    if (!tenant) this.#tenants.set(commit.tenant, (tenant = { ids: new Map(), streams: new Map() }));
    const place = placeOf(commit);
    tenant.ids.set(commit.commitId, place);
    for (const { id, after } of commit.streams) {
      const stream = tenant.streams.get(id);
      if (!stream) tenant.streams.set(id, { version: after, touched: [after, place] });
      else {
        stream.version = after;
        stream.touched.push(after, place);
      }
    }
    this.#count += 1;
    this.#size += line.length;
    return line;
  }

  /** Version of a stream after its newest commit here; undefined when none is here. */
  version(tenant: string, stream: string): number | undefined {
    return this.#tenants.get(tenant)?.streams.get(stream)?.version;
  }

  find(tenant: string, commitId: string): StoredCommit | undefined {
    const place = this.#tenants.get(tenant)?.ids.get(commitId);
    return place === undefined ? undefined : this.#at(place);
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

  /** The oldest commit here that touches a stream. */
  oldest(tenant: string, stream: string): StoredCommit | undefined {
    const place = this.#tenants.get(tenant)?.streams.get(stream)?.touched[1];
    return place === undefined ? undefined : this.#at(place);
  }

  /** The commits that touch a stream after a version, in order. */
  touching(tenant: string, stream: string, after: number): readonly StoredCommit[] {
    const found: StoredCommit[] = [];
    const touched = this.#tenants.get(tenant)?.streams.get(stream)?.touched ?? [];
    for (let at = 0; at < touched.length; at += 2) if (touched[at]! > after) found.push(this.#at(touched[at + 1]!));
    return found;
  }

  /** Each lane's first position and lines, lanes ascending. */
  lines(): readonly (readonly [lane: number, first: number, lines: readonly string[]])[] {
    const lanes = [...this.#lanes].sort(([a], [b]) => a - b);
    return lanes.map(([lane, { first, lines }]) => [lane, first, lines]);
  }

  /** Every stream with its version, and the pairs of version and place of its commits. */
  *streams(): Iterable<readonly [tenant: string, stream: string, version: number, touched: readonly number[]]> {
    for (const [tenant, { streams }] of this.#tenants)
      for (const [stream, { version, touched }] of streams) yield [tenant, stream, version, touched];
  }

  /** Every commit id with the commit's place. */
  *ids(): Iterable<readonly [commitId: string, place: number]> {
    for (const { ids } of this.#tenants.values()) yield* ids;
  }

  #at(place: number): StoredCommit {
    const { lane, position } = atPlace(place);
    const { first, lines } = this.#lanes.get(lane)!;
    return fromLine(lines[position - first]!);
  }
}
