import { copyOf } from '../running/copy.ts';
import { type RecordFilter, type StoredRecord, meets } from './record-filter.ts';

/** A commit as the adapter stores it; see `CommitRecord` of the event log. */
export interface LaneRecord extends StoredRecord {
  readonly _id: string;
  readonly tenant: string;
  readonly cid: string;
  readonly prev: string;
  readonly streams: readonly { readonly id: string; readonly before: number; readonly after: number }[];
  readonly at: string;
  readonly ev: string;
}

/** What a driver throws for a key that is taken. */
const taken = (): Error => Object.assign(new Error('E11000 duplicate key'), { code: 11_000 });

/** The commits of one lane on a server, of which an election may hide the newest for a while. */
export class LogLane {
  #records: LaneRecord[] = [];
  #ids = new Set<string>();
  /** How many it had when an older copy took its place. */
  #longest = -1;
  /** How many of the newest no majority shows at the moment. */
  hidden = 0;

  /** It has less than it had once: whoever followed it to its end then stands until it has grown again. */
  get isShort(): boolean {
    return this.#records.length <= this.#longest;
  }

  get all(): readonly LaneRecord[] {
    return this.#records;
  }

  /** As an ordered insert: up to the first that cannot be stored. `check` throws when a commit must not be there. */
  insert(records: readonly LaneRecord[], check: (record: LaneRecord, before: LaneRecord | undefined) => void): void {
    for (const record of records) {
      const id = `${record.tenant}\0${record.cid}`;
      const at = Number(record._id);
      if (at <= this.#records.length || this.#ids.has(id)) throw taken();
      check(record, this.#records.at(-1));
      this.#records.push(copyOf(record));
      this.#ids.add(id);
    }
    // A majority that has these has all before them.
    this.hidden = 0;
  }

  find(filter: RecordFilter, order: 1 | -1, limit: number): readonly LaneRecord[] {
    const end = this.#records.length - this.hidden;
    const [from, to] = rangeOf(filter, end);
    const found: LaneRecord[] = [];
    const most = limit > 0 ? limit : Infinity;
    for (let step = 0; step < to - from && found.length < most; step += 1) {
      const record = this.#records[order === 1 ? from + step : to - 1 - step]!;
      if (meets(record, filter)) found.push(record);
    }
    return found;
  }

  /** Puts an older copy in the place of the lane. Returns what that lacks. */
  cut(length: number): readonly LaneRecord[] {
    const gone = this.#records.slice(length);
    if (gone.length > 0) this.#longest = Math.max(this.#longest, this.#records.length);
    this.#records = this.#records.slice(0, length);
    this.#ids = new Set(this.#records.map(({ tenant, cid }) => `${tenant}\0${cid}`));
    this.hidden = 0;
    return gone;
  }
}

/** Where in the lane what is asked for can be: positions are contiguous. */
function rangeOf({ _id: id }: RecordFilter, end: number): [from: number, to: number] {
  if (typeof id === 'string') return [Math.min(Number(id) - 1, end), Math.min(Number(id), end)];
  const { $gte = '1' } = (id ?? {}) as { $gte?: string };
  return [Math.min(Math.max(Number($gte) - 1, 0), end), end];
}
