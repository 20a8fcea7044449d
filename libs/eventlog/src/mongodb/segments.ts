import { codeOf, together } from '@lyceum/kernel';
import { inTime, writeOnce } from '@lyceum/mongo';
import type { Collection, Db } from 'mongodb';
import { randomUUID } from 'node:crypto';
import type { PackedRecord } from './mongodb-record.ts';

/**
 * Positions in one collection: what one look-up has to scan at most. A new collection costs as much as several inserts.
 * Logs of the first layout had 256, and are known by that.
 */
export const segmentLength = 250;

/** Which collection holds a segment of a lane. Never changed. */
export interface SegmentRecord {
  /** `<lane>/<number>`. */
  readonly _id: string;
  readonly name: string;
}

/** Creates the register with the log: it is not among what a crash may leave unfinished later. */
export const createRegister = (db: Db): Promise<unknown> =>
  db.createCollection(register, inTime()).catch((error: unknown) => {
    // It exists.
    if (codeOf(error) !== 48) throw error;
  });

const register = 'segments';

/** Reads entries of the register, by one query for all lanes that ask at the same time: most have nothing new, or nothing. */
export function entriesOf(db: Db): (id: string) => Promise<SegmentRecord | undefined> {
  const entries = db.collection<SegmentRecord>(register);
  return together(async (ids: readonly string[]) => {
    const found = await entries.find({ _id: { $in: [...new Set(ids)] } }, inTime()).toArray();
    const byId = new Map(found.map((entry) => [entry._id, entry]));
    return ids.map((id) => byId.get(id));
  });
}

/**
 * The collections of one lane. FerretDB creates a collection in several steps, so a crash can leave one that has no unique
 * key, or that can be neither used nor created. Therefore each gets a name of its own, and belongs to the lane only once
 * it is seen to be whole: the process that enters it first decides, and what others have made is left unused.
 */
export class Segments {
  readonly #db: Db;
  readonly #lane: number;
  readonly #register: Collection<SegmentRecord>;
  readonly #entry: (id: string) => Promise<SegmentRecord | undefined>;
  readonly #known = new Map<number, Collection<PackedRecord>>();

  constructor(db: Db, lane: number, entry = entriesOf(db)) {
    this.#db = db;
    this.#entry = entry;
    this.#lane = lane;
    this.#register = db.collection<SegmentRecord>(register);
  }

  /** The segment of a position, if anything was ever written there. */
  async find(position: number): Promise<Collection<PackedRecord> | undefined> {
    const number = numberOf(position);
    const known = this.#known.get(number);
    if (known) return known;
    const entered = await this.#entry(`${this.#lane}/${number}`);
    if (!entered) return undefined;
    const segment = this.#db.collection<PackedRecord>(entered.name);
    this.#known.set(number, segment);
    return segment;
  }

  /** The segment of a position, made when there is none. */
  async make(position: number): Promise<Collection<PackedRecord>> {
    const found = await this.find(position);
    if (found) return found;
    const number = numberOf(position);
    const name = `commits_${this.#lane}_${number}_${randomUUID().slice(0, 8)}`;
    const indexes = await (await this.#db.createCollection(name, inTime())).listIndexes(inTime()).toArray();
    if (!indexes.some(({ key }) => '_id' in (key as object))) throw new Error(`${name} has no unique key`);
    const entered = await writeOnce(this.#register, { _id: `${this.#lane}/${number}`, name });
    const segment = this.#db.collection<PackedRecord>(entered.name);
    this.#known.set(number, segment);
    return segment;
  }

  forget(): void {
    this.#known.clear();
  }
}

const numberOf = (position: number): number => Math.floor((position - 1) / segmentLength);
