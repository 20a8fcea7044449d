import { BoundedMap, messageOf } from '@lyceum/kernel';
import { inTime } from '@lyceum/mongo';
import type { Db } from 'mongodb';
import { chained } from '../storage/chain.ts';
import { type Following, type LaneIndex, type Touching, headsAfter, keyOf } from './lane-index.ts';
import { idOf, packed, unpacked } from './mongodb-record.ts';
import { Segments, type entriesOf, segmentLength } from './segments.ts';
import type { StoredCommit } from '../storage/store.ts';

/** Recent commits of a lane that stay in memory whole, unless their events are longer than `short` characters. */
const kept = 4_000;
const short = 8_192;
/** Commits at the end of a lane that are read one by one. */
const newest = 32;
/** How many positions the first looks beyond the end ask for at once: mostly there is nothing new, or little. */
const looks = [1, 2];

/**
 * A lane on FerretDB 1.x, which answers every query by a scan of the collection (even by `_id`: its index and its query
 * are different expressions). So a lane is kept in segments, collections of 250 positions; the positions of all streams
 * and commit ids are kept in memory (about 150 bytes for each commit), filled by one pass. A commit is read for the price
 * of a scan; several cost little less than their whole segment.
 * That a commit id is stored once needs no index then: the writer of position n + 1 remembers all up to n.
 */
export class ScannedLane implements LaneIndex {
  readonly complete = true;
  readonly #lane: number;
  readonly #segments: Segments;
  readonly #positions = new Map<string, number[]>();
  readonly #versions = new Map<string, number>();
  readonly #ids = new Map<string, number>();
  readonly #recent = new BoundedMap<number, StoredCommit>(kept);
  #opened = false;

  /** `entry`: reads the register of segments, for all lanes of the log. */
  constructor(lane: number, db: Db, entry?: ReturnType<typeof entriesOf>) {
    this.#lane = lane;
    this.#segments = new Segments(db, lane, entry);
  }

  async insert(commits: readonly StoredCommit[]): Promise<void> {
    for (let from = 0; from < commits.length;) {
      const room = segmentLength - ((commits[from]!.position - 1) % segmentLength);
      const part = commits.slice(from, from + room);
      try {
        const segment = await this.#segments.make(part[0]!.position);
        await segment.insertMany(part.map(packed), { ordered: true, ...inTime() });
      } catch (error) {
        // The part before is stored: nobody may take this for an insert that was never sent.
        throw from === 0 ? error : new Error(`a part was stored, and then: ${messageOf(error)}`);
      }
      from += part.length;
    }
  }

  async open(): Promise<StoredCommit | undefined> {
    let newest: StoredCommit | undefined;
    for (let from = 1; ; from += segmentLength) {
      const segment = await this.#scan(from);
      const rows = newest ? [newest, ...segment] : segment;
      const found = chained(this.#lane, newest?.position ?? 0, rows);
      // The newest one is learned by the caller.
      if (newest && found.length > 0) this.learn(newest);
      for (const commit of found.slice(0, -1)) this.learn(commit);
      newest = found.at(-1) ?? newest;
      if (segment.length < segmentLength) break;
    }
    this.#opened = true;
    return newest;
  }

  async following(position: number): Promise<Following> {
    const found: StoredCommit[] = [];
    for (const width of looks) {
      const from = position + found.length + 1;
      const more = await Promise.all(Array.from({ length: width }, (_, index) => this.reread(from + index)));
      const missing = more.indexOf(undefined);
      found.push(...((missing < 0 ? more : more.slice(0, missing)) as StoredCommit[]));
      // One that was not there yet when it was asked for hides those after it: they came later than the question.
      if (missing >= 0) return { commits: found, end: true };
    }
    // There is more to it, and its writer mostly wrote a group of them.
    const rest = await this.#after(Math.max(position + found.length, this.#ids.size));
    return { commits: [...found, ...rest.commits], end: rest.end };
  }

  async range(from: number, limit: number): Promise<readonly StoredCommit[]> {
    const found: StoredCommit[] = [];
    for (let position = from; found.length < limit; position += 1) {
      // What is learned while we wait may have come after the question.
      const head = this.#ids.size;
      const commit = this.#recent.get(position) ?? (await this.#fill(position));
      if (!commit && this.#opened && position > head) break;
      // Either the end, or a hole: then what comes after it shows it. Or it has come since it was asked for.
      const rest = commit ? [commit] : await this.#from(position);
      found.push(...rest);
      if (rest.length !== 1 || rest[0]!.position !== position) break;
    }
    return found;
  }

  async reread(position: number): Promise<StoredCommit | undefined> {
    const segment = await this.#segments.find(position);
    const record = await segment?.findOne({ _id: idOf(position) }, inTime());
    return record ? unpacked(this.#lane, record) : undefined;
  }

  learn(commit: StoredCommit): void {
    const { tenant, commitId, position, streams } = commit;
    this.#ids.set(keyOf(tenant, commitId), position);
    if (commit.events.length <= short) this.#recent.set(position, commit);
    for (const { id, after } of streams) {
      const key = keyOf(tenant, id);
      this.#versions.set(key, after);
      const positions = this.#positions.get(key);
      if (positions) positions.push(position);
      else this.#positions.set(key, [position]);
    }
  }

  forget(): void {
    this.#opened = false;
    this.#segments.forget();
    for (const memory of [this.#positions, this.#versions, this.#ids, this.#recent]) memory.clear();
  }

  known(tenant: string, stream: string): number {
    return this.#versions.get(keyOf(tenant, stream)) ?? 0;
  }

  async version(tenant: string, stream: string): Promise<number> {
    return this.known(tenant, stream);
  }

  async touching(tenant: string, streams: readonly string[], after: number, head: number): Promise<Touching> {
    const positions = new Set(streams.flatMap((stream) => this.#positions.get(keyOf(tenant, stream)) ?? []));
    const asked = [...positions].filter((position) => position <= head).sort((a, b) => a - b);
    // A stream without snapshots is read whole anyway; with one, only its end is.
    const wanted = after > 0 ? asked.slice(-Math.max(1, this.known(tenant, streams[0]!) - after + 1)) : asked;
    const commits = await Promise.all(wanted.map((position) => this.#at(position)));
    const found = commits.filter((commit) => commit !== undefined);
    return { commits: found, heads: headsAfter(found, streams) };
  }

  remembered(tenant: string, commitId: string): number | undefined {
    return this.#ids.get(keyOf(tenant, commitId));
  }

  async find(tenant: string, commitId: string): Promise<StoredCommit | undefined> {
    const position = this.remembered(tenant, commitId);
    return position === undefined ? undefined : this.#at(position);
  }

  async #at(position: number): Promise<StoredCommit | undefined> {
    return this.#recent.get(position) ?? this.reread(position);
  }

  /** Reads a commit, and of an old one the whole segment: a reader of it will ask for those after it. */
  async #fill(position: number): Promise<StoredCommit | undefined> {
    if (position > this.#ids.size - newest) return this.reread(position);
    const segment = await this.#scan(position);
    for (const commit of segment) if (commit.events.length <= short) this.#recent.set(commit.position, commit);
    return segment.find((commit) => commit.position === position);
  }

  /** The commits after a position, as far as they are in one segment. */
  async #after(position: number): Promise<Following> {
    const segment = (await this.#scan(position + 1)).filter((commit) => commit.position > position);
    const commits = segment.filter((commit, index) => commit.position === position + 1 + index);
    return { commits, end: (position + commits.length) % segmentLength > 0 };
  }

  async #from(position: number): Promise<readonly StoredCommit[]> {
    return (await this.#scan(position)).filter((commit) => commit.position >= position);
  }

  /** The segment of a position, in order. */
  async #scan(position: number): Promise<readonly StoredCommit[]> {
    const segment = await this.#segments.find(position);
    const records = (await segment?.find({}, { batchSize: segmentLength + 1, ...inTime() }).toArray()) ?? [];
    return records.map((record) => unpacked(this.#lane, record)).sort((a, b) => a.position - b.position);
  }
}
