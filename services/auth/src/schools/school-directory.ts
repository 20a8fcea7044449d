import { type Look, schoolFacts } from '@lyceum/contracts';

/** A school as far as signing in is concerned. `issuer` = `{base_url}`, no trailing slash. */
export interface School {
  readonly id: string;
  readonly name: string;
  readonly issuer: string;
  /** Where it answers too, in A-labels: its issuer is the same there. */
  readonly domains: readonly string[];
  /** BCP 47. */
  readonly locale: string;
  /** IANA name. */
  readonly timezone: string;
  /** How it looks; absent until it has published a look of its own. */
  readonly look?: Look;
  /** Who may open an account: anybody, or those who are invited. */
  readonly signUp: 'open' | 'invited';
}

/** A crossing fact of the school service. */
interface SchoolFact {
  readonly type: string;
  readonly data: unknown;
}

/** The schools that this process knows, folded from the facts of the school service. In memory: every start reads them again. */
export class SchoolDirectory {
  readonly #schools = new Map<string, School>();

  /** The school, or undefined when no fact has told of it yet. */
  get(id: string): School | undefined {
    return this.#schools.get(id);
  }

  /** Every school that this process knows. */
  ids(): readonly string[] {
    return [...this.#schools.keys()];
  }

  /** Takes a fact in; facts about other things are ignored. */
  apply(id: string, fact: SchoolFact): void {
    if (fact.type === 'SchoolProvisioned') {
      const { name, base_url: issuer, locale, timezone } = schoolFacts.SchoolProvisioned.data.parse(fact.data);
      this.#schools.set(id, { id, name, issuer, domains: [], locale, timezone, signUp: 'invited' });
      return;
    }
    const known = this.#schools.get(id);
    if (fact.type === 'SchoolMoved' && known) {
      const { base_url: issuer } = schoolFacts.SchoolMoved.data.parse(fact.data);
      this.#schools.set(id, { ...known, issuer });
    }
    if ((fact.type === 'DomainVerified' || fact.type === 'DomainRemoved') && known) {
      const { domain } = schoolFacts[fact.type].data.parse(fact.data);
      const others = known.domains.filter((each) => each !== domain);
      this.#schools.set(id, { ...known, domains: fact.type === 'DomainVerified' ? [...others, domain] : others });
    }
    if (fact.type === 'SchoolSignUpSet' && known) {
      const { sign_up: signUp } = schoolFacts.SchoolSignUpSet.data.parse(fact.data);
      this.#schools.set(id, { ...known, signUp });
    }
    if (fact.type === 'AppearancePublished' && known) {
      const { revision: _revision, ...look } = schoolFacts.AppearancePublished.data.parse(fact.data);
      this.#schools.set(id, { ...known, look });
    }
  }
}
