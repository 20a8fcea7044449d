/** Letters that Unicode does not decompose into a base letter and a mark. */
const spelled: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
};

const longest = 80;
const shortest = 3;

const cut = (slug: string, length: number): string => slug.slice(0, length).replace(/-+$/, '');

/** The Latin letters and digits of a text, lower case, with hyphens between words; empty when it has none. */
const latin = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[æœøßłđðþħıŋŧ]/g, (letter) => spelled[letter]!)
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');

/**
 * Slugs to try for a title, best first: the title itself, then with a piece of the course's id, short then long. A title
 * without Latin letters starts at the second. Deterministic.
 */
export function slugCandidates(title: string, id: string): readonly string[] {
  const words = latin(title);
  const stem = words.length >= shortest ? words : words === '' ? 'course' : `course-${words}`;
  const tail = id.slice(-12).toLowerCase();
  const suffixed = [tail.slice(-6), tail].map((suffix) => `${cut(stem, longest - 1 - suffix.length)}-${suffix}`);
  return words === '' ? suffixed : [cut(stem, longest), ...suffixed];
}
