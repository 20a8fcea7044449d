import type { z } from 'zod';

/** Issuers' first digits, with how many digits their numbers have. @see ISO/IEC 7812-1 */
const issuers: readonly (readonly [begins: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^5[1-5]/, [16]],
  [/^2[2-7]/, [16]],
  [/^3[47]/, [15]],
  [/^3[0689]/, [14]],
  [/^35/, [16]],
  [/^6/, [16, 17, 18, 19]],
];

/** What people put between the digits of a number. */
const between = /[\s./_\-\u2010-\u2015]/g;

/** A text without what people put between the digits of a number, in plain letters and digits. */
export const withoutSeparators = (text: string): string => text.normalize('NFKC').replaceAll(between, '');

/** Whether the last digit is the check digit of the others. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits.at(-1 - at));
    const counted = at % 2 === 0 ? digit : digit * 2;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
}

const isOfCard = (digits: string): boolean =>
  issuers.some(([begins, lengths]) => lengths.includes(digits.length) && begins.test(digits)) && hasCheckDigit(digits);

/** A UUID may have digits like those of a card, and people get addresses that machines make of them. @see RFC 9562 */
const uuid = /[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}/gi;

/** Whether the number of a payment card stands in a text, whatever stands around it and between its digits. */
export function hasCardNumber(text: string): boolean {
  const runs = withoutSeparators(text.replaceAll(uuid, ' ')).match(/\d+/g) ?? [];
  return runs.some((run) => {
    for (let from = 0; from + 13 <= run.length; from += 1)
      for (let length = 13; length <= 19 && from + length <= run.length; length += 1)
        if (isOfCard(run.slice(from, from + length))) return true;
    return false;
  });
}

/**
 * A text in which no number of a payment card may stand: what is written here is kept, and card data is not for us.
 * `isKnown`: what is something else beyond doubt.
 */
export const withoutCardNumber = <Schema extends z.ZodType<string, string>>(
  schema: Schema,
  isKnown: (text: string) => boolean = () => false,
): Schema =>
  schema.refine(
    (text) => isKnown(text) || !hasCardNumber(text),
    'must not have the number of a card: it belongs on the page of the payment provider only',
  );
