import { BoundedMap } from '@lyceum/kernel';
import type { School } from '../routing/school.ts';

/**
 * What is made of a school when it is first asked for, for the schools that were asked for last. A fact about a school
 * makes a new `School` value, and thereby what was made of the one before is forgotten.
 */
export class PerSchoolCache<Made> {
  readonly #made: BoundedMap<string, { readonly school: School; readonly made: Made }>;

  /** What was made of `size` schools stays at least, of twice as many at most. */
  constructor(size: number) {
    this.#made = new BoundedMap(size);
  }

  /** What was made of the school, or is made now. */
  of(school: School, make: (school: School) => Made): Made {
    const known = this.#made.get(school.id);
    if (known?.school === school) return known.made;
    const made = make(school);
    this.#made.set(school.id, { school, made });
    return made;
  }

  /** What was made of this very value, and is still kept. */
  known(school: School): Made | undefined {
    const found = this.#made.get(school.id);
    return found?.school === school ? found.made : undefined;
  }
}
