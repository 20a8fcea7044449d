/** Digits and letters that nobody takes for each other: without I, L, O and U. @see Crockford, Base 32 */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Characters of a code: 100 bits, so that guessing finds none. */
const length = 20;

/** Random bytes that a code is made of. */
export const codeBytes = length;

/** The code of random bytes, as many as `codeBytes`: five bits of each. */
export const codeOf = (random: Uint8Array): string =>
  Array.from(random.subarray(0, length), (byte) => alphabet.charAt(byte % alphabet.length)).join('');

/** What people write for characters that there are not. */
const meant: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' };

const form = new RegExp(`^[${alphabet}]{${length}}$`);

/** The code that somebody typed: in any case, with hyphens or without. Undefined when it can be none. */
export function codeIn(typed: string): string | undefined {
  const code = typed
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll(/[OIL]/g, (letter) => meant[letter] ?? letter);
  return form.test(code) ? code : undefined;
}

/** A code as people read and type it: in groups of five. */
export const shownCode = (code: string): string => code.replaceAll(/.{5}(?=.)/g, '$&-');
