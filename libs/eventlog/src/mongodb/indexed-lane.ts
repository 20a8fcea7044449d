import { BoundedMap } from '@lyceum/kernel';
import { inTime } from '@lyceum/mongo';
import type { Collection, Filter } from 'mongodb';
import { type Following, type LaneIndex, type Touching, headsAfter, keyOf } from './lane-index.ts';
import { type CommitRecord, commitOf, idOf, recordOf } from './mongodb-record.ts';
import type { StoredCommit } from '../storage/store.ts';

/** Streams and commit ids of a lane that stay in memory. */
const hot = 20_000;
const page = 256;

/** A version being read, and what was learned meanwhile: the read may not have seen it. */
interface Asked {
  learned: number | undefined;
  readonly version: Promise<number>;
}

/** A lane on a server whose indexes serve reads: only hot streams and recent commit ids are remembered. */
export class IndexedLane implements LaneIndex {
  readonly complete = false;
  readonly #lane: number;
  readonly #records: Collection<CommitRecord>;
  readonly #versions = new BoundedMap<string, number>(hot);
  readonly #ids = new BoundedMap<string, number>(hot);
  readonly #asked = new Map<string, Asked>();

  constructor(lane: number, records: Collection<CommitRecord>) {
    this.#lane = lane;
    this.#records = records;
  }

  async insert(commits: readonly StoredCommit[]): Promise<void> {
    await this.#records.insertMany(commits.map(recordOf), { ordered: true, ...inTime() });
  }

  async open(): Promise<StoredCommit | undefined> {
    return (await this.#read({}, -1, 1))[0];
  }

  async following(position: number): Promise<Following> {
    const commits = await this.range(position + 1, page);
    return { commits, end: commits.length < page };
  }

  range(from: number, limit: number): Promise<readonly StoredCommit[]> {
    // A limit of 0 means none to the server.
    return limit < 1 ? Promise.resolve([]) : this.#read({ _id: { $gte: idOf(from) } }, 1, limit);
  }

  async reread(position: number): Promise<StoredCommit | undefined> {
    return this.#one({ _id: idOf(position) });
  }

  learn({ tenant, commitId, position, streams }: StoredCommit): void {
    this.#ids.set(keyOf(tenant, commitId), position);
    for (const { id, after } of streams) {
      const key = keyOf(tenant, id);
      this.#versions.set(key, after);
      const asked = this.#asked.get(key);
      if (asked) asked.learned = after;
    }
  }

  forget(): void {
    this.#versions.clear();
    this.#ids.clear();
    this.#asked.clear();
  }

  known(tenant: string, stream: string): number | undefined {
    return this.#versions.get(keyOf(tenant, stream));
  }

  async version(tenant: string, stream: string, head: number): Promise<number> {
    const key = keyOf(tenant, stream);
    const known = this.#versions.get(key);
    if (known !== undefined) return known;
    const asking = this.#asked.get(key);
    if (asking) return asking.version;
    const asked: Asked = { learned: undefined, version: this.#versionAt(tenant, stream, head) };
    this.#asked.set(key, asked);
    try {
      const read = await asked.version;
      const version = asked.learned ?? read;
      // Not after `forget`: what was read then belongs to a lane that is not known any more.
      if (this.#asked.get(key) === asked) this.#versions.set(key, version);
      return version;
    } finally {
      if (this.#asked.get(key) === asked) this.#asked.delete(key);
    }
  }

  async touching(tenant: string, streams: readonly string[], after: number, head: number): Promise<Touching> {
    const filter = after > 0 ? { 'streams.after': { $gte: after } } : {};
    const touching = { tenant, 'streams.id': { $in: [...streams] }, ...filter, _id: { $lte: idOf(head) } };
    const found = await this.#read(touching as Filter<CommitRecord>);
    // FerretDB knows no filter on one element of a list: another stream's version may have let a commit pass.
    const commits = found.filter((commit) => touches(commit, streams, after)).sort((a, b) => a.position - b.position);
    const heads = headsAfter(commits, streams);
    const [stream] = streams;
    if (stream !== undefined && after > 0 && commits.length === 0)
      heads.set(stream, await this.#versionAt(tenant, stream, head));
    return { commits, heads };
  }

  remembered(tenant: string, commitId: string): number | undefined {
    return this.#ids.get(keyOf(tenant, commitId));
  }

  find(tenant: string, commitId: string): Promise<StoredCommit | undefined> {
    return this.#one({ tenant, cid: commitId });
  }

  async #versionAt(tenant: string, stream: string, head: number): Promise<number> {
    const filter = { tenant, 'streams.id': stream, _id: { $lte: idOf(head) } } as Filter<CommitRecord>;
    const [newest] = await this.#read(filter, -1, 1);
    return newest?.streams.find((touched) => touched.id === stream)?.after ?? 0;
  }

  async #one(filter: Filter<CommitRecord>): Promise<StoredCommit | undefined> {
    const record = await this.#records.findOne(filter, inTime());
    return record ? commitOf(this.#lane, record) : undefined;
  }

  async #read(filter: Filter<CommitRecord>, order?: 1 | -1, limit = 0): Promise<StoredCommit[]> {
    const cursor = this.#records.find(filter, { limit, batchSize: 1_000, ...inTime() });
    if (order) cursor.sort({ _id: order });
    return (await cursor.toArray()).map((record) => commitOf(this.#lane, record));
  }
}

const touches = (commit: StoredCommit, streams: readonly string[], after: number): boolean =>
  commit.streams.some((touched) => touched.after >= after && streams.includes(touched.id));
