/** A school's claim on a key, and the older claim that it covers. */
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
  return isOlder(claim, top) ? { ...top, beneath: placed(claim, top.beneath) } : { ...claim, beneath: top };
};

function without(school: string, { beneath, ...top }: Claim): Claim | undefined {
  if (top.school === school) return beneath;
  const rest = beneath && without(school, beneath);
  return rest ? { ...top, beneath: rest } : top;
}

/**
 * Which school holds a key. Facts of different schools arrive in any order, so a key may have two claimants for a
 * moment, e.g. when a school moved away and another took its host: the latest claim wins and the others are kept until released.
 */
export class HostClaims {
  readonly #claims = new Map<string, Claim>();

  /** The id of the school that holds the key. */
  holder(key: string): string | undefined {
    return this.#claims.get(key)?.school;
  }

  /** Claims a key; a claim of the same school before is forgotten. */
  take(key: string, school: string, at: number): void {
    const held = this.#claims.get(key);
    this.#claims.set(key, placed({ school, at }, held && without(school, held)));
  }

  release(key: string, school: string): void {
    const held = this.#claims.get(key);
    const rest = held && without(school, held);
    if (rest) this.#claims.set(key, rest);
    else this.#claims.delete(key);
  }
}
