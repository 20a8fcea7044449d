import { BoundedMap } from '@lyceum/kernel';

/** Header names that are remembered at a time, and the longest of them. */
const [most, longest] = [1_000, 64];

/**
 * Remembers what a caller works out from the name of a header, in lower case: the same few names come again and again, in
 * few spellings. What `meaningOf` throws is not remembered.
 */
export function byHeaderName<Meaning extends object>(meaningOf: (name: string) => Meaning): (sent: string) => Meaning {
  const known = new BoundedMap<string, Meaning>(most);
  return (sent) => {
    const before = known.get(sent);
    if (before) return before;
    // What is sliced out of a longer text keeps all of it.
    const own = sent.length > longest ? sent : Buffer.from(sent, 'latin1').toString('latin1');
    const meaning = meaningOf(own.toLowerCase());
    if (sent.length > longest) return meaning;
    known.set(own, meaning);
    return meaning;
  };
}
