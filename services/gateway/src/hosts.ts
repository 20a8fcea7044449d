import { type Authority, keyOf } from './authority.ts';
import { type School, keysOf } from './school.ts';

interface Claim {
  readonly school: School;
  readonly at: string;
}

/**
 * Which school holds a key. Facts of different schools arrive in any order, so a key may have two claimants for a
 * moment, e.g. when a school moved away and another took its host: the latest claim wins and the others are kept until released.
 */
class Claims {
  readonly #claims = new Map<string, readonly Claim[]>();

  holder(key: string): School | undefined {
    return this.#claims.get(key)?.at(-1)?.school;
  }

  take(key: string, claim: Claim): void {
    const others = this.#claims.get(key) ?? [];
    this.#claims.set(key, others.length === 0 ? [claim] : [...others, claim].sort((a, b) => (a.at < b.at ? -1 : 1)));
  }

  exchange(key: string, before: School, school: School): void {
    const claims = this.#claims.get(key)?.map((claim) => (claim.school === before ? { ...claim, school } : claim));
    if (claims) this.#claims.set(key, claims);
  }

  release(key: string, school: School): void {
    const others = this.#claims.get(key)?.filter((claim) => claim.school !== school) ?? [];
    if (others.length > 0) this.#claims.set(key, others);
    else this.#claims.delete(key);
  }
}

/**
 * Every school by host, in memory. A lookup is one or two Map reads; `put` changes all keys of a school in one
 * synchronous step, so no request sees half of a move. 130,000 schools are about 40 MB.
 */
export class Hosts {
  readonly #schools = new Map<string, School>();
  readonly #own = new Claims();
  readonly #aliases = new Claims();

  /** The school that answers at this authority. A school's own host goes before another's loopback alias. */
  at(authority: Authority): School | undefined {
    const key = keyOf(authority);
    return this.#own.holder(key) ?? this.#aliases.holder(key);
  }

  byId(id: string): School | undefined {
    return this.#schools.get(id);
  }

  /** Adds a school, or replaces what was known of it; its former hosts answer for it no longer. `at` is RFC 3339 UTC. */
  put(school: School, at: string): void {
    const before = this.#schools.get(school.id);
    if (before) this.#release(before);
    this.#schools.set(school.id, school);
    const { own, aliases } = keysOf(school);
    for (const key of own) this.#own.take(key, { school, at });
    for (const key of aliases) this.#aliases.take(key, { school, at });
  }

  /** Replaces what is known of a school whose address is as before; its claims are as old as they were. */
  change(school: School): void {
    const before = this.#schools.get(school.id);
    if (!before) return;
    this.#schools.set(school.id, school);
    const { own, aliases } = keysOf(school);
    for (const key of own) this.#own.exchange(key, before, school);
    for (const key of aliases) this.#aliases.exchange(key, before, school);
  }

  #release(school: School): void {
    const { own, aliases } = keysOf(school);
    for (const key of own) this.#own.release(key, school);
    for (const key of aliases) this.#aliases.release(key, school);
  }
}
