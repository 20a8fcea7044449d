import { createHmac } from 'node:crypto';

/** Crockford's Base32: no letter in it is taken for a number. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Random letters of a code: 60 bits, so that nobody guesses one of a thousand. */
const length = 12;

/** The code of a coupon of a batch; another one for each attempt. Nobody can make it without the seed. */
export function codeOf(
  { prefix, seed }: { readonly prefix: string; readonly seed: string },
  index: number,
  attempt: number,
): string {
  const bytes = createHmac('sha256', seed)
    .update(JSON.stringify([index, attempt]))
    .digest();
  const random = [...bytes.subarray(0, length)].map((byte) => letters[byte % letters.length]).join('');
  return prefix === '' ? random : `${prefix}-${random}`;
}
