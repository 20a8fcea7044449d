import { slot } from './slot.ts';

/** The parameters of an OAuth request. An empty value counts as omitted. @see RFC 6749 §3.1 */
export class Parameters {
  readonly #pairs: readonly (readonly [string, string])[];

  constructor(pairs: Iterable<readonly [string, string]>) {
    this.#pairs = [...pairs].map(([name, value]) => [name, value] as const);
  }

  /** Reads a query string or a form body. */
  static parse(text: string): Parameters {
    return new Parameters(new URLSearchParams(text));
  }

  /** The first value that is not empty. */
  get(name: string): string | undefined {
    return this.all(name)[0];
  }

  /** The same of a parameter that an earlier step has checked. Throws when it is not there. */
  require(name: string): string {
    const value = this.get(name);
    if (value === undefined) throw new Error(`no earlier step has checked that ${name} is there`);
    return value;
  }

  /** All values that are not empty, in order. */
  all(name: string): readonly string[] {
    return this.#pairs.filter((pair) => pair[0] === name && pair[1] !== '').map((pair) => pair[1]);
  }

  /** A name (its first 40 characters) that occurs more than once though it is not one of `repeatable`. @see RFC 6749 §3.1, §3.2 */
  repeated(repeatable: readonly string[]): string | undefined {
    const seen = new Set<string>();
    for (const [name] of this.#pairs) {
      if (seen.has(name) && !repeatable.includes(name)) return name.slice(0, 40);
      seen.add(name);
    }
    return undefined;
  }

  /** Name and value of each, as they came. */
  get pairs(): readonly (readonly [string, string])[] {
    return this.#pairs;
  }
}

/** The parameters of the OAuth request, of its query, of its form, or of the request that a page carries sealed. */
export const parametersSlot = slot<Parameters>('the parameters');

/** The fields of a form on one of our own pages. */
export const formSlot = slot<Parameters>('the form');
