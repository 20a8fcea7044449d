import { crc32, constants, inflateSync } from 'node:zlib';

/** The lines that a row has of one lane, as one text: which row, and which line of it is the first. */
export interface LaneRow {
  readonly row: number;
  readonly first: number;
  readonly lines: string;
}

/** What a block has, in its order: the row, the first line, and the bytes of each text. */
type Directory = readonly (readonly [row: number, first: number, bytes: number])[];

interface Extent {
  readonly first: number;
  readonly from: number;
  readonly to: number;
}

/** Rows as one text: a line that says which they are, with its own checksum, then their texts. */
export function contentOf(rows: readonly LaneRow[]): Buffer {
  const texts = rows.map(({ lines }) => Buffer.from(lines));
  const entries = rows.map(({ row, first }, index) => [row, first, texts[index]!.length] as const) satisfies Directory;
  const directory = JSON.stringify(entries);
  return Buffer.concat([Buffer.from(`${directory}\t${crc32(directory)}\n`), ...texts]);
}

/** A block that was opened: the rows of a content that was stored by `deflate`, or as many as can be read of it. */
export class Block {
  readonly #content: Buffer;
  readonly #extents: ReadonlyMap<number, Extent> | undefined;

  /** Never throws: what is damaged is as if it were not there. */
  constructor(stored: Uint8Array) {
    this.#content = inflated(stored);
    this.#extents = extentsIn(this.#content);
  }

  /** Bytes in memory. */
  get size(): number {
    return this.#content.length;
  }

  /** All of its rows, or what is left of them; undefined when nothing says which they are. */
  rows(): readonly LaneRow[] | undefined {
    return this.#extents && [...this.#extents.keys()].map((row) => this.row(row)!);
  }

  /** A row, or what is left of it; undefined when the block was made without it. */
  row(row: number): LaneRow | undefined {
    if (!this.#extents) return { row, first: 0, lines: '' };
    const extent = this.#extents.get(row);
    return extent && { row, first: extent.first, lines: this.#text(extent) };
  }

  /** Without a line that is cut off: where its checksum is gone, it looks like a line of a release that wrote none. */
  #text({ from, to }: Extent): string {
    const text = this.#content.toString('utf8', from, to);
    return to <= this.#content.length ? text : text.slice(0, text.lastIndexOf('\n') + 1);
  }
}

function extentsIn(content: Buffer): ReadonlyMap<number, Extent> | undefined {
  const end = content.indexOf('\n');
  const [directory = '', sum] = content.toString('utf8', 0, Math.max(end, 0)).split('\t');
  if (sum !== String(crc32(directory))) return undefined;
  const extents = new Map<number, Extent>();
  let from = end + 1;
  for (const [row, first, bytes] of JSON.parse(directory) as Directory) {
    extents.set(row, { first, from, to: from + bytes });
    from += bytes;
  }
  return extents;
}

function inflated(stored: Uint8Array): Buffer {
  try {
    return inflateSync(stored);
  } catch {
    return beginningOf(stored);
  }
}

/**
 * What comes before the damage. The engine gives nothing of what it cannot read to the end, so the longest beginning that it
 * can read is looked for. A few bytes around the damage may come out wrong: the checksums of lines tell.
 */
function beginningOf(stored: Uint8Array): Buffer {
  let beginning: Buffer = Buffer.alloc(0);
  for (let [readable, not] = [0, stored.length + 1]; not - readable > 1;) {
    const middle = Math.floor((readable + not) / 2);
    try {
      beginning = inflateSync(stored.subarray(0, middle), { finishFlush: constants.Z_SYNC_FLUSH });
      readable = middle;
    } catch {
      not = middle;
    }
  }
  return beginning;
}
