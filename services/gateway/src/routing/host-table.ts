import { type Authority, keyOf, parseAuthority } from './authority.ts';
import { type Keys, type School, domainKey, keysOf } from './school.ts';

const standardPorts = ['443', '80'];

/**
 * Every school by host, in memory. A lookup is a few Map reads; every change of a school, its move included, is made in
 * one synchronous step, so each request sees the table before it or after it and never half of it. A school is a value of
 * its own and two entries of Maps: 100,000 schools are about 40 MB.
 */
export class HostTable {
  readonly #schools = new Map<string, School>();
  readonly #own = new HostClaims();
  readonly #aliases = new HostClaims();
  readonly #domains = new HostClaims();
  /** Of the schools that have any: custom domains, and since when. */
  readonly #domainsOf = new Map<string, Map<string, number>>();

  /** The school that answers at this authority: by its own host, else by a loopback alias, else by a custom domain. */
  at(authority: Authority): School | undefined {
    return this.#find(authority, true);
  }

  /** Whether a school answers here only because the domain was proven to be its own: its issuer is elsewhere. */
  isCustom(authority: Authority): boolean {
    if (this.#domainsOf.size === 0) return false;
    return this.#find(authority, false) === undefined && this.#find(authority, true) !== undefined;
  }

  byId(id: string): School | undefined {
    return this.#schools.get(id);
  }

  /**
   * Adds a school, or replaces what was known of it; its former hosts answer for it no longer. `at` is RFC 3339 UTC. Gives
   * the school that has one of its own hosts already, and keeps it.
   */
  put(school: School, at: string): string | undefined {
    const before = this.#schools.get(school.id);
    const keys = keysOf(school);
    if (before) this.#vacate(before, keys);
    this.#schools.set(school.id, school);
    const since = Date.parse(at);
    const holders = new Set<string>();
    this.#each(keys, (claims, key) => {
      const holder = claims.take(key, school.id, since);
      if (holder !== undefined && claims === this.#own) holders.add(holder);
    });
    for (const [domain, verified] of this.#domainsOf.get(school.id) ?? [])
      this.#domains.take(domainKey(school, domain), school.id, verified);
    return [...holders][0];
  }

  /** Replaces what is known of a school whose address is as before; its claims are as old as they were. */
  change(school: School): void {
    if (this.#schools.has(school.id)) this.#schools.set(school.id, school);
  }

  /** Lets a school answer at a custom domain too. False when there is no such school, or no such name. */
  addDomain(id: string, domain: string, at: string): boolean {
    const school = this.#schools.get(id);
    const isName = parseAuthority(domain)?.host === domain;
    if (!school || !isName) return false;
    const domains = this.#domainsOf.get(id) ?? new Map<string, number>();
    this.#domainsOf.set(id, domains.set(domain, Date.parse(at)));
    this.#domains.take(domainKey(school, domain), id, Date.parse(at));
    return true;
  }

  /** The school answers at the domain no longer. */
  removeDomain(id: string, domain: string): void {
    const [school, domains] = [this.#schools.get(id), this.#domainsOf.get(id)];
    if (!school || !domains?.delete(domain)) return;
    if (domains.size === 0) this.#domainsOf.delete(id);
    this.#domains.release(domainKey(school, domain), id);
  }

  /** Every school that has its addresses to itself, as a fact would tell of it, with the domains that are its own. */
  *held() {
    for (const school of this.#schools.values()) {
      const { id, name, host, baseUrl, language, isOpen, closure, look } = school;
      if (keysOf(school).own.some((key) => this.#own.holder(key) !== id)) continue;
      const all = [...(this.#domainsOf.get(id)?.keys() ?? [])];
      const domains = all.filter((domain) => this.#domains.holder(domainKey(school, domain)) === id);
      yield { id, name, host, base_url: baseUrl, locale: language, isOpen, closure, look, domains };
    }
  }

  /** A school on its scheme's own port has one key, without the port, and is found with the port too. */
  #find(authority: Authority, withDomains: boolean): School | undefined {
    const id = this.#holder(keyOf(authority), withDomains);
    if (id !== undefined) return this.#schools.get(id);
    if (!standardPorts.includes(authority.port)) return undefined;
    const school = this.#schools.get(this.#holder(authority.host, withDomains) ?? '');
    return school?.secure === (authority.port === '443') ? school : undefined;
  }

  #holder(key: string, withDomains: boolean): string | undefined {
    return this.#own.holder(key) ?? this.#aliases.holder(key) ?? (withDomains ? this.#domains.holder(key) : undefined);
  }

  /** What the school keeps stays its own: a release would let others in before it. */
  #vacate(school: School, kept: Keys): void {
    this.#each(keysOf(school), (claims, key) => {
      const isKept = (claims === this.#own ? kept.own : kept.aliases).includes(key);
      if (!isKept) claims.release(key, school.id);
    });
    for (const domain of this.#domainsOf.get(school.id)?.keys() ?? [])
      this.#domains.release(domainKey(school, domain), school.id);
  }

  #each({ own, aliases }: Keys, visit: (claims: HostClaims, key: string) => void): void {
    for (const key of own) visit(this.#own, key);
    for (const key of aliases) visit(this.#aliases, key);
  }
}

/** The table as requests see it. `isKnown`: whether the table is complete; true when not given. */
export type KnownHosts = Pick<HostTable, 'at' | 'isCustom'> & { readonly isKnown?: boolean };

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
class HostClaims {
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
