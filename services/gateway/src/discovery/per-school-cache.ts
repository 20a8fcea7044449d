import type { School } from '../routing/school.ts';

/**
 * What is made of a school when it is first asked for, for the schools that were asked for last. A fact about a school
 * makes a new `School` value, and thereby what was made of the one before is forgotten.
 */
export class PerSchoolCache<Made> {
  readonly #most: number;
  /** The least recently asked for comes first. */
  readonly #made = new Map<string, { readonly school: School; readonly made: Made }>();

  constructor(most: number) {
    this.#most = most;
  }

  /** What was made of the school, or is made now. */
  of(school: School, make: (school: School) => Made): Made {
    const known = this.#made.get(school.id);
    const entry = known?.school === school ? known : { school, made: make(school) };
    this.#made.delete(school.id);
    this.#made.set(school.id, entry);
    if (this.#made.size > this.#most) this.#made.delete(this.#made.keys().next().value!);
    return entry.made;
  }

  /** What was made of this very value, and is still kept. */
  known(school: School): Made | undefined {
    const found = this.#made.get(school.id);
    return found?.school === school ? found.made : undefined;
  }
}
