import type { FactSource } from '@lyceum/contracts';
import type { Found, Write } from '@lyceum/documents';
import type { Checkpoint } from '@lyceum/kernel';
import type { Snapshot } from './followed-state.ts';
import {
  type LanePart,
  type Packed,
  gone,
  packSize,
  packWrites,
  packedIn,
  pieceId,
  pieceIn,
  pieceWrite,
  positionOf,
} from './snapshot-forms.ts';

/** Pieces in packs of a lane, beyond twice those that are different, from which on all are packed anew. */
const mostWorn = 1_000;

/** What is stored of a lane, beside its place. */
export interface StoredPieces {
  /** Lasting pieces that stand by themselves. */
  readonly young: ReadonlyMap<string, unknown>;
  /** When pieces end, milliseconds. */
  readonly ends: ReadonlyMap<string, number>;
  /** Whether so many pieces in packs were replaced since that all are to be packed anew. */
  readonly isWorn: boolean;
}

/** A piece that stands by itself, and whether it is newer than every pack. */
interface Single {
  readonly snapshot: Snapshot;
  readonly at: number;
  readonly counts: boolean;
}

/**
 * Tells the pieces that the documents of a lane hold. They come by id: first those that stand by themselves, then packs, of
 * which a later one counts before those that came earlier. A piece by itself counts when it is newer than the packs: another
 * process may have packed it, and left what stood there.
 */
export class LaneReading {
  readonly #source: FactSource;
  readonly #tell: (snapshot: Snapshot) => void;
  readonly #singles = new Map<string, Single>();
  readonly #names = new Set<string>();
  #packed = 0;

  constructor(source: FactSource, tell: (snapshot: Snapshot) => void) {
    this.#source = source;
    this.#tell = tell;
  }

  add(found: Found): void {
    const [pieces, at] = [packedIn(found), positionOf(found)];
    if (!pieces) {
      const snapshot = pieceIn(this.#source, found);
      return void this.#singles.set(snapshot.id, { snapshot, at, counts: true });
    }
    this.#packed += pieces.length;
    for (const [id, body] of pieces) {
      const snapshot: Snapshot = { id, source: this.#source, isLasting: true, body };
      this.#names.add(id);
      const single = this.#singles.get(id);
      if (single && single.at <= at) this.#singles.set(id, { snapshot, at: single.at, counts: false });
      this.#tell(snapshot);
    }
  }

  end(): StoredPieces {
    const [young, ends] = [new Map<string, unknown>(), new Map<string, number>()];
    for (const { snapshot, counts } of this.#singles.values()) {
      if (counts) this.#tell(snapshot);
      if (snapshot.until !== undefined) ends.set(snapshot.id, snapshot.until);
      if (snapshot.isLasting) young.set(snapshot.id, snapshot.body);
    }
    return { young, ends, isWorn: this.#packed > 2 * this.#names.size + mostWorn };
  }
}

/** Packs all lasting pieces in the documents of a lane anew, at its position. */
export function packedAnew(part: LanePart, position: number, found: readonly Found[]): readonly Write[] {
  const pieces = new Map<string, unknown>();
  const reading = new LaneReading(part.source, ({ id, isLasting, body }) => isLasting && pieces.set(id, body));
  for (const each of found) reading.add(each);
  const { young } = reading.end();
  const singles = [...young.keys()].map((name) => gone(pieceId(part, name)));
  const packs = found.filter((each) => packedIn(each)).map(({ id }) => gone(id));
  return [...singles, ...packs, ...packWrites(part, position, [...pieces], '~')];
}

/** What is to be written at once, and what happens when it is. */
export interface Step {
  readonly from: number;
  readonly to: Checkpoint;
  readonly writes: readonly Write[];
  /** It is stored, by this process or by another one that has received the same. */
  done(): void;
}

/** What is known of a lane, and what of it is stored. */
export class LaneSnapshots {
  readonly part: LanePart;
  /** The place that is stored, and the one that is known. */
  stored: number;
  known: Checkpoint;
  readonly #changed = new Map<string, Snapshot>();
  readonly #ends: Map<string, number>;
  #young: ReadonlyMap<string, unknown>;
  #isWorn: boolean;

  constructor(part: LanePart, known: Checkpoint, { young, ends, isWorn }: StoredPieces) {
    this.part = part;
    this.stored = known.position;
    this.known = known;
    this.#young = young;
    this.#ends = new Map(ends);
    this.#isWorn = isWorn;
  }

  /** Takes note of a message, and of what in it is to be kept. */
  record(at: Checkpoint, snapshots: readonly Snapshot[]): void {
    this.known = at;
    for (const snapshot of snapshots) {
      this.#changed.set(snapshot.id, snapshot);
      if (snapshot.until === undefined) this.#ends.delete(snapshot.id);
      else this.#ends.set(snapshot.id, snapshot.until);
    }
  }

  /** Whether there is something to keep, beside the place. */
  get hasChanged(): boolean {
    return this.#changed.size > 0;
  }

  /** Whether what is stored is not what is known. */
  get isDue(): boolean {
    return this.known.position > this.stored;
  }

  /** Whether its pieces are to be packed anew. */
  get isWorn(): boolean {
    return this.#isWorn;
  }

  /** Its pieces were packed anew; nothing stands by itself then. False: another process looks after it. */
  packedAnew(isDone: boolean): void {
    this.#isWorn = false;
    if (isDone) this.#young = new Map();
  }

  /** What brings everything that is known into the documents; without what is over at `now`, in milliseconds. */
  step(now: number): Step {
    const [changed, to] = [[...this.#changed.values()], this.known];
    const over = [...this.#ends].flatMap(([name, until]) => (until <= now ? [name] : []));
    const isOver = new Set(over);
    const young = new Map<string, unknown>(this.#young);
    for (const { id, isLasting, body } of changed) if (isLasting) young.set(id, body);
    const packs = young.size >= packSize;
    const singles = changed.filter(({ id, isLasting }) => !isOver.has(id) && !(packs && isLasting));
    const writes = [
      ...singles.map((each) => pieceWrite(this.part, to.position, each)),
      ...over.map((name) => gone(pieceId(this.part, name))),
      ...(packs ? this.#packing(young) : []),
    ];
    return {
      from: this.stored,
      to,
      writes,
      done: () => {
        this.stored = Math.max(this.stored, to.position);
        this.#young = packs ? new Map() : young;
        for (const name of over) this.#ends.delete(name);
        for (const each of changed) if (this.#changed.get(each.id) === each) this.#changed.delete(each.id);
      },
    };
  }

  #packing(young: ReadonlyMap<string, Packed[1]>): readonly Write[] {
    const singles = [...this.#young.keys()].map((name) => gone(pieceId(this.part, name)));
    return [...singles, ...packWrites(this.part, this.known.position, [...young], '.')];
  }
}
