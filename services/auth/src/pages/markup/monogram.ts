const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const first = (word: string): string => {
  for (const { segment } of graphemes.segment(word)) return segment;
  return '';
};

/** The first letters of the first two words of a name, in capitals: `Lantern Craft School` → `LC`. Empty for no letters. */
export function monogram(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  return words.slice(0, 2).map(first).join('').toUpperCase();
}
