import { BoundedMap } from '@lyceum/kernel';

/** After `from`, and up to and with `to`, nothing was published about a school. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Shorter ones are read again as fast as they are remembered, positions. */
const shortest = 100;
/** Stretches that are remembered: of a school, and of all. */
const [mostOfSchool, mostOfAll] = [64, 50_000];

/**
 * Where in its lane a school is silent, so that a reader of a small school goes through what the large
 * ones of its lane have published once and not at every request. What stands in a log never changes in one epoch of it.
 */
export class Silences {
  readonly #stretches = new BoundedMap<string, readonly Stretch[]>(mostOfAll, (each) => each.length);

  /** Where to read on: a position, or the end of the stretch that it lies in. */
  end(epoch: string | undefined, school: string, position: number): number {
    const known = this.#stretches.get(keyOf(epoch, school)) ?? [];
    return known.find(({ from, to }) => from <= position && position < to)?.to ?? position;
  }

  /** Remembers what a look at a part of the lane, after `from` up to and with `to`, found of the school: these positions. */
  looked(epoch: string | undefined, school: string, from: number, to: number, found: readonly number[]): void {
    const key = keyOf(epoch, school);
    let known = this.#stretches.get(key) ?? [];
    let at = from;
    for (const position of [...found, to + 1]) {
      known = joined(known, { from: at, to: position - 1 });
      at = position;
    }
    if (known.length > 0) this.#stretches.set(key, known.slice(-mostOfSchool));
  }
}

const keyOf = (epoch: string | undefined, school: string): string => `${epoch ?? ''} ${school}`;

/** Stretches with one more, together with those that it touches. */
function joined(known: readonly Stretch[], { from, to }: Stretch): readonly Stretch[] {
  const touching = known.filter((each) => each.from <= to && from <= each.to);
  const whole = {
    from: Math.min(from, ...touching.map((each) => each.from)),
    to: Math.max(to, ...touching.map((each) => each.to)),
  };
  if (whole.to - whole.from < shortest) return known;
  return [...known.filter((each) => !touching.includes(each)), whole].sort((a, b) => a.from - b.from);
}
