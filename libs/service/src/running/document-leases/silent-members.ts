/** Which members of a table give no sign of life any more, on the clock of the one who looks. */
export class SilentMembers {
  readonly #lifetime: number;
  #seen = new Map<string, { readonly sign: number; readonly since: number }>();
  #looked = -Infinity;

  constructor(lifetime: number) {
    this.#lifetime = lifetime;
  }

  /** The counters of all other members now. */
  seen(signs: readonly (readonly [id: string, sign: number])[]): void {
    const now = performance.now();
    // When this process slept, the others may have slept too.
    const hasSlept = now - this.#looked > this.#lifetime;
    this.#looked = now;
    this.#seen = new Map(
      signs.map(([id, sign]) => {
        const before = this.#seen.get(id);
        return [id, before?.sign === sign && !hasSlept ? before : { sign, since: now }];
      }),
    );
  }

  /** Those whose counter has not changed for a lifetime. */
  get gone(): ReadonlySet<string> {
    const gone = [...this.#seen].filter(([, { since }]) => this.#looked - since >= this.#lifetime);
    return new Set(gone.map(([id]) => id));
  }
}
