/**
 * Orders texts by Unicode code point, as UTF-8 bytes do. JavaScript's own `<` orders by UTF-16 unit, which differs
 * beyond U+FFFF, and no two engines would agree.
 */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all others, so they rank last. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** What `contains` compares: composed and lower case, so that neither case nor the way of writing accents matters. */
export const foldText = (text: string): string =>
  ascii.test(text) ? text.toLowerCase() : text.normalize('NFC').toLowerCase().normalize('NFC');

/** Most text is, and normalising it changes nothing. */
// oxlint-disable-next-line no-control-regex -- the whole of ASCII, controls included
const ascii = /^[\0-\x7f]*$/;

/** The text with lone surrogates replaced by U+FFFD: what every engine can store. */
export const wellFormed = (text: string): string =>
  surrogate.test(text) ? text.replace(/\p{Surrogate}/gu, '\uFFFD') : text;

const surrogate = /[\ud800-\udfff]/;
