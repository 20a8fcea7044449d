/** 30 bits of a key: an integer so small that it needs no object. */
export const slotOf = (key: number): number => key & 0x3fff_ffff;

/** A slot for a commit id. Its key would not do: ids of one millisecond may share it. */
export const idSlot = (id: string): number => slotOf(digest(id));

/** 52 bits that stand for a stream. */
export const streamKey = (tenant: string, stream: string): number => digest(tenant, stream);

/**
 * An integer that stands for a commit id. A UUID of version 7 gives the 40 low bits of its time and the 12 after them:
 * positive, and later ones are greater for 34 years. Any other id gives a negative one.
 */
export function idKey(id: string): number {
  if (id.length !== 36 || id[14] !== '7') return -1 - digest(id);
  let key = 0;
  for (let at = 2; at < 18; at += 1) {
    if (at === 8 || at === 13) at += at === 8 ? 1 : 2;
    const digit = hexDigit(id.charCodeAt(at));
    if (digit < 0) return -1 - digest(id);
    key = key * 16 + digit;
  }
  return key;
}

/** -1: it is none. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/**
 * Two FNV-1a hashes of the UTF-16 units side by side, of a text or of two with a NUL between. Not collision-proof: what a
 * number leads to is checked.
 */
function digest(text: string, second?: string): number {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x01000193);
  }
  if (second !== undefined) {
    low = Math.imul(low, 0x01000193);
    high = Math.imul(high, 0x01000193);
    for (let at = 0; at < second.length; at += 1) {
      const code = second.charCodeAt(at);
      low = Math.imul(low ^ code, 0x01000193);
      high = Math.imul(high ^ code, 0x01000193);
    }
  }
  return (high >>> 12) * 2 ** 32 + (low >>> 0);
}
