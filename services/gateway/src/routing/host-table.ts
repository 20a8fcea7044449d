import { type Authority, keyOf, parseAuthority } from './authority.ts';
import { type Keys, type School, type SchoolAddress, domainKey, keysOf, schoolFrom } from './school.ts';

const standardPorts = ['443', '80'];

/** A school as it is kept over a restart: plain JSON. */
export interface KeptSchool extends SchoolAddress {
  readonly domains: readonly string[];
  /** Since when it has claimed each of its keys, and each domain: milliseconds. Where it is not said, for long. */
  readonly since?: readonly number[];
  readonly verified?: readonly number[];
}

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
    const since = Date.parse(at);
    return this.#put(school, () => since);
  }

  #put(school: School, sinceOf: (index: number) => number): string | undefined {
    const before = this.#schools.get(school.id);
    const keys = keysOf(school);
    if (before) this.#vacate(before, keys);
    this.#schools.set(school.id, school);
    const holders = new Set<string>();
    this.#each(keys, (claims, key, index) => {
      const holder = claims.take(key, school.id, sinceOf(index));
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
    return this.#addDomain(this.#schools.get(id), domain, Date.parse(at));
  }

  #addDomain(school: School | undefined, domain: string, since: number): boolean {
    const isName = parseAuthority(domain)?.host === domain;
    if (!school || !isName) return false;
    const domains = this.#domainsOf.get(school.id) ?? new Map<string, number>();
    this.#domainsOf.set(school.id, domains.set(domain, since));
    this.#domains.take(domainKey(school, domain), school.id, since);
    return true;
  }

  /** The school answers at the domain no longer. */
  removeDomain(id: string, domain: string): void {
    const [school, domains] = [this.#schools.get(id), this.#domainsOf.get(id)];
    if (!school || !domains?.delete(domain)) return;
    if (domains.size === 0) this.#domainsOf.delete(id);
    this.#domains.release(domainKey(school, domain), id);
  }

  /** A school with all that it claims, also what another one holds. */
  kept(id: string): KeptSchool | undefined {
    const school = this.#schools.get(id);
    if (!school) return undefined;
    const since: number[] = [];
    this.#each(keysOf(school), (claims, key) => since.push(claims.since(key, id)));
    const claimed = this.#domainsOf.get(id);
    if (!claimed) return { ...addressOf(school), domains: [], since };
    return { ...addressOf(school), domains: [...claimed.keys()], since, verified: [...claimed.values()] };
  }

  /** Takes in a school as it was kept. */
  recall({ domains, since = [], verified = [], ...address }: KeptSchool): void {
    const school = schoolFrom(address);
    if (!school) return;
    this.#put(school, (index) => since[index] ?? longAgo);
    for (const [index, domain] of domains.entries()) this.#addDomain(school, domain, verified[index] ?? longAgo);
  }

  /** Every school that has its addresses to itself, with the domains that are its own. */
  *held(): Generator<KeptSchool> {
    for (const school of this.#schools.values()) {
      const { id } = school;
      if (keysOf(school).own.some((key) => this.#own.holder(key) !== id)) continue;
      const all = [...(this.#domainsOf.get(id)?.keys() ?? [])];
      const domains = all.filter((domain) => this.#domains.holder(domainKey(school, domain)) === id);
      yield { ...addressOf(school), domains };
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

  #each({ own, aliases }: Keys, visit: (claims: HostClaims, key: string, index: number) => void): void {
    for (const [index, key] of own.entries()) visit(this.#own, key, index);
    for (const [index, key] of aliases.entries()) visit(this.#aliases, key, own.length + index);
  }
}

const longAgo = Date.parse('2000-01-01T00:00:00.000Z');

/** What a fact would say of a school. */
function addressOf(school: School): SchoolAddress {
  const { id, name, host, baseUrl, language, isOpen, closure, look } = school;
  return { id, name, host, base_url: baseUrl, locale: language, isOpen, closure, look };
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

  /** Since when the school has claimed the key, in milliseconds; Infinity when it has not. */
  since(key: string, school: string): number {
    return ageOf(school, this.#claims.get(key));
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
