/** What is put into an answer, by the mark that keeps its place. */
type Filling = Readonly<Record<string, string>>;

/** An answer of the protocol with places left open. */
export interface Frame {
  /** Its headers: name, value, name, value. */
  readonly head: readonly string[];
  /** The whole answer. */
  filled(filling: Filling): string;
}

/**
 * Cuts an answer at the marks that stand in it. Undefined when one does not stand there exactly once: then nobody can tell
 * where its place is.
 */
export function frameOf(text: string, head: Frame['head'], marks: readonly string[]): Frame | undefined {
  const places = marks.map((mark) => ({ mark, at: text.indexOf(mark) })).sort((a, b) => a.at - b.at);
  if (places.some(({ mark, at }) => at < 0 || text.includes(mark, at + 1))) return undefined;
  let from = 0;
  const pieces = places.map(({ mark, at }) => {
    const before = text.slice(from, at);
    from = at + mark.length;
    return { before, mark };
  });
  const rest = text.slice(from);
  return {
    head,
    filled(filling) {
      let whole = '';
      for (const { before, mark } of pieces) whole += before + filling[mark]!;
      return whole + rest;
    },
  };
}
