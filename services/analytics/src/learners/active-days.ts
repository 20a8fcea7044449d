import { type Day, type Period, mondayOf, monthOf } from '../calendar/calendar.ts';
import type { Changes, Editing } from '../figures/changes.ts';

/** Days of a document, in words of 32 bits. */
const [wordBits, words] = [32, 12];
const blockDays = wordBits * words;

/** Days of a block, a bit for each. */
type Bits = readonly number[];

/** On which days of a block a member was active, in each course and anywhere (''). */
interface BlockRow {
  readonly member_id: string;
  readonly scopes: Readonly<Record<string, Bits>>;
}

/** The longest span of days that is looked around a day: the windows and months that it lies in. */
const around = 31;

const blockOf = (day: Day): number => Math.floor(day / blockDays);

const has = (bits: Bits, at: number): boolean => (bits[Math.floor(at / wordBits)]! & (1 << (at % wordBits))) !== 0;

/** The days from one to another within a block that are set, in order. Words without any are passed over. */
function daysIn(bits: Bits, from: number, to: number): readonly number[] {
  const days: number[] = [];
  for (let word = Math.floor(from / wordBits); word <= Math.floor(to / wordBits); word += 1) {
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) {
      const day = word * wordBits + (wordBits - 1 - Math.clz32(rest & -rest));
      if (day >= from && day <= to) days.push(day);
    }
  }
  return days;
}

const none: Bits = Array.from({ length: words }, () => 0);

/** The days on which a member was active, in documents of 384 days. */
export class ActiveDays {
  readonly #changes: Changes;
  readonly #member: string;

  constructor(changes: Changes, member: string) {
    this.#changes = changes;
    this.#member = member;
  }

  /** Adds a day in a course or anywhere (''). Gives what is new with it; undefined when the member was known to be active then. */
  *add(scope: string, day: Day): Editing<NewDay | undefined> {
    const block = blockOf(day);
    const row = yield* this.#block(block);
    const known = row?.scopes[scope];
    const at = day - block * blockDays;
    if (known && has(known, at)) return undefined;
    const found = yield* this.#near(scope, day);
    const bits = [...(known ?? none)];
    bits[Math.floor(at / wordBits)]! |= 1 << (at % wordBits);
    const written: BlockRow = { member_id: this.#member, scopes: { ...row?.scopes, [scope]: bits } };
    this.#changes.write(this.#idOf(block), written);
    return new NewDay(day, found);
  }

  /** The other active days within a month of a day, in order. */
  *#near(scope: string, day: Day): Editing<readonly Day[]> {
    const [from, to] = [day - around, day + around];
    const days: Day[] = [];
    for (let block = blockOf(from); block <= blockOf(to); block += 1) {
      const bits = (yield* this.#block(block))?.scopes[scope];
      if (!bits) continue;
      const first = block * blockDays;
      const near = daysIn(bits, Math.max(from - first, 0), Math.min(to - first, blockDays - 1));
      days.push(...near.map((each) => first + each));
    }
    return days;
  }

  *#block(block: number): Editing<BlockRow | undefined> {
    return yield* this.#changes.read<BlockRow>(this.#idOf(block));
  }

  #idOf(block: number): string {
    return `active:${this.#member}:${block}`;
  }
}

/** A day on which somebody was active and was not known to be, in whatever order days become known. */
export class NewDay {
  readonly day: Day;
  readonly #others: readonly Day[];

  /** `others`: the active days within a month of it, in order. */
  constructor(day: Day, others: readonly Day[]) {
    this.day = day;
    this.#others = others;
  }

  /** Whether it is the first known day of its week. */
  get isFirstOfWeek(): boolean {
    const monday = mondayOf(this.day);
    return !this.#others.some((other) => mondayOf(other) === monday);
  }

  /** Whether it is the first known day of its month. */
  get isFirstOfMonth(): boolean {
    const month = monthOf(this.day);
    return !this.#others.some((other) => monthOf(other) === month);
  }

  /** The days at the end of so many, among which it is the only active one: for them one person more was active. */
  windowOf(length: number): Period {
    const before = this.#others.findLast((other) => other < this.day) ?? -Infinity;
    const behind = this.#others.find((other) => other > this.day) ?? Infinity;
    return { start: Math.max(this.day, before + length), end: Math.min(this.day + length, behind) };
  }
}
