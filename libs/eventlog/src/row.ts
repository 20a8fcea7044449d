/** Characters after which a row takes no further line. */
const fullSize = 16_384;

/** A row in the making: lines that are stored as one text. */
export class Row {
  readonly #lines: string[] = [];
  /** Where each line came from. */
  readonly #sources: { readonly lines: string[]; readonly at: number }[] = [];
  #size = 0;

  get count(): number {
    return this.#lines.length;
  }

  get full(): boolean {
    return this.#size >= fullSize;
  }

  /** Takes lines from an index on until it is full. Returns how many: at least one, unless it was full. */
  take(lines: string[], from: number): number {
    let at = from;
    for (; at < lines.length && !this.full; at += 1) {
      this.#lines.push(lines[at]!);
      this.#sources.push({ lines, at });
      this.#size += lines[at]!.length;
    }
    return at - from;
  }

  /** The row's text. The lines become parts of it where they came from: in memory one text stays, not several for each line. */
  text(): string {
    const text = this.#lines.join('\n');
    let from = 0;
    for (const { lines, at } of this.#sources) {
      const to = from + lines[at]!.length;
      lines[at] = text.slice(from, to);
      from = to + 1;
    }
    return text;
  }
}
