import type { FactHistory, PublishedFacts } from '@lyceum/internal-api';

/** A history that a test writes: one school per lane, a fact or several in a commit. */
export class WrittenHistory implements FactHistory {
  epoch: string | undefined = 'first';
  failing = false;
  readonly #published: { readonly school: string; readonly published: PublishedFacts }[] = [];
  readonly #rings = new Set<(school: string) => void>();
  #head = 0;

  /** Writes a commit with these facts, at this time, and rings. */
  write(school: string, at: string, facts: readonly (readonly [type: string, subject: string, data: unknown])[]): void {
    this.#head += 1;
    const position = this.#head;
    const made = facts.map(([type, subject, data], index) => ({
      id: `${school}.${position}.${index}`,
      type,
      schema: 1,
      subject,
      version: position,
      data,
    }));
    if (made.length > 0) this.#published.push({ school, published: { position, at, facts: made } });
    for (const ring of this.#rings) ring(school);
  }

  async head() {
    if (this.failing) throw new Error('the owner does not answer');
    return { position: this.#head, ...(this.epoch === undefined ? {} : { epoch: this.epoch }) };
  }

  async after(school: string, position: number, limit: number) {
    const all = this.#of(school).filter((published) => published.position > position);
    const published = all.slice(0, limit);
    const more = all.length > limit;
    return { published, more, reached: more ? published.at(-1)!.position : this.#head };
  }

  async since(school: string, at: string) {
    return Math.max(0, ...this.#of(school).flatMap((published) => (published.at < at ? published.position : [])));
  }

  follow(ring: (school: string) => void) {
    this.#rings.add(ring);
    return { close: async () => void this.#rings.delete(ring) };
  }

  #of(school: string): PublishedFacts[] {
    return this.#published.filter((each) => each.school === school).map(({ published }) => published);
  }
}
