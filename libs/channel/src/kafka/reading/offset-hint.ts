import { Assembler } from './assembler.ts';

/** Commits remembered until they are handled; beyond, the hint of an offset falls behind, nothing else. */
const mostRemembered = 2_000;

/** Where a consumer stands in one partition. */
export class Place {
  readonly assembler = new Assembler();
  readonly #ends: { position: number; offset: bigint }[];
  #next: bigint;
  paused = false;

  /** `next`: the offset of the first record wanted; what is before it is not this consumer's to read. */
  constructor(next: bigint) {
    this.#next = next;
    this.#ends = [{ position: 0, offset: next }];
  }

  /** The offset of the next record. */
  get next(): bigint {
    return this.#next;
  }

  /** Notes that the record at the offset was taken; when it ended a commit, its position. */
  record(offset: string, position?: number): void {
    this.#next = BigInt(offset) + 1n;
    if (position === undefined) return;
    this.#ends.push({ position, offset: this.#next });
    if (this.#ends.length > mostRemembered) this.#ends.shift();
  }

  /** The offset behind the last commit up to the watermark, once; undefined when none was handled since the last time. */
  handled(watermark: number): bigint | undefined {
    let offset: bigint | undefined;
    while (this.#ends[0] && this.#ends[0].position <= watermark) offset = this.#ends.shift()!.offset;
    return offset;
  }
}
