import { domainOrigin } from '@lyceum/contracts';
import type { TrustedSchool } from './trust.ts';

interface Issuer {
  readonly url: string;
  /** The position of the fact in its lane; undefined when it is not known. */
  readonly position?: number;
}

/** The issuer of each school, and the domains at which it answers too. Few schools have any. */
export class SchoolAddresses {
  readonly #issuers = new Map<string, Issuer>();
  readonly #domains = new Map<string, Set<string>>();
  readonly #origins = new Map<string, readonly string[]>();

  of(id: string): TrustedSchool | undefined {
    const issuer = this.#issuers.get(id)?.url;
    if (issuer === undefined) return undefined;
    const origins = this.#origins.get(id);
    return origins ? { id, issuer, origins } : { id, issuer };
  }

  issuer(id: string): Issuer | undefined {
    return this.#issuers.get(id);
  }

  setIssuer(id: string, issuer: Issuer): void {
    this.#issuers.set(id, issuer);
    this.#locate(id);
  }

  /** The school answers at a domain from now on, or no longer. May come before its issuer is known. */
  setDomain(id: string, domain: string, isThere: boolean): void {
    const domains = this.#domains.get(id) ?? new Set();
    if (isThere) this.#domains.set(id, domains.add(domain));
    else if (domains.delete(domain) && domains.size === 0) this.#domains.delete(id);
    this.#locate(id);
  }

  clear(): void {
    for (const each of [this.#issuers, this.#domains, this.#origins]) each.clear();
  }

  #locate(id: string): void {
    const [issuer, domains] = [this.#issuers.get(id), this.#domains.get(id)];
    if (issuer && domains)
      this.#origins.set(
        id,
        [...domains].map((domain) => domainOrigin(issuer.url, domain)),
      );
    else this.#origins.delete(id);
  }
}
