/** Header names that are remembered at a time, and the longest of them. */
const [most, longest] = [1_000, 64];

/**
 * Remembers what a header's name, in small letters, means to who asks: the same few names come all day, in the same few
 * spellings. What `tell` throws is not remembered.
 */
export function byHeaderName<Meaning extends object>(tell: (name: string) => Meaning): (sent: string) => Meaning {
  const known = new Map<string, Meaning>();
  return (sent) => {
    const before = known.get(sent);
    if (before) return before;
    // What is sliced out of a longer text keeps all of it.
    const own = sent.length > longest ? sent : Buffer.from(sent, 'latin1').toString('latin1');
    const meaning = tell(own.toLowerCase());
    if (sent.length > longest) return meaning;
    if (known.size >= most) known.clear();
    known.set(own, meaning);
    return meaning;
  };
}
