/** A school's claim on a key, and the younger claim that waits for its release. */
interface Claim {
  readonly school: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly beneath?: Claim;
}

const isOlder = (one: Omit<Claim, 'beneath'>, other: Claim): boolean =>
  one.at < other.at || (one.at === other.at && one.school < other.school);

const placed = (claim: Claim, top: Claim | undefined): Claim => {
  if (!top) return claim;
  return isOlder(claim, top) ? { ...claim, beneath: top } : { ...top, beneath: placed(claim, top.beneath) };
};

function without(school: string, { beneath, ...top }: Claim): Claim | undefined {
  if (top.school === school) return beneath;
  const rest = beneath && without(school, beneath);
  return rest ? { ...top, beneath: rest } : top;
}

const ageOf = (school: string, claim: Claim | undefined): number =>
  claim === undefined ? Infinity : claim.school === school ? claim.at : ageOf(school, claim.beneath);

/**
 * Which school holds a key. Facts of different schools arrive in any order, so a key may have two claimants for a
 * moment, e.g. when a school moved away and another took its host. The first holder keeps it until it releases it, and the
 * others wait: no school ever displaces another.
 */
export class HostClaims {
  readonly #claims = new Map<string, Claim>();

  /** The id of the school that holds the key. */
  holder(key: string): string | undefined {
    return this.#claims.get(key)?.school;
  }

  /** Claims a key; a claim that the school has already stays as old as it is. The id of the school that goes before it, if any. */
  take(key: string, school: string, at: number): string | undefined {
    const held = this.#claims.get(key);
    const since = Math.min(at, ageOf(school, held));
    const first = placed({ school, at: since }, held && without(school, held));
    this.#claims.set(key, first);
    return first.school === school ? undefined : first.school;
  }

  release(key: string, school: string): void {
    const held = this.#claims.get(key);
    const rest = held && without(school, held);
    if (rest) this.#claims.set(key, rest);
    else this.#claims.delete(key);
  }
}
