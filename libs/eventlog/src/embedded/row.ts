/** A row in the making: lines that are stored as one text. */
export class Row {
  readonly #lines: string[] = [];
  /** Where each line came from. */
  readonly #sources: { readonly lines: string[]; readonly at: number }[] = [];
  readonly #room: number;
  #size = 0;

  /** `room`: characters at most, but for a single longer line. */
  constructor(room: number) {
    this.#room = room;
  }

  get count(): number {
    return this.#lines.length;
  }

  /** Takes the lines from an index on that have room. Returns how many: an empty row takes one of any length. */
  take(lines: string[], from: number): number {
    let at = from;
    for (; at < lines.length && (this.count === 0 || this.#size + lines[at]!.length < this.#room); at += 1) {
      this.#lines.push(lines[at]!);
      this.#sources.push({ lines, at });
      this.#size += lines[at]!.length + 1;
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
