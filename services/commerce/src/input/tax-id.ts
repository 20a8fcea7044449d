import { line } from '@lyceum/contracts';
import { withoutCardNumber, withoutSeparators } from './card-number.ts';

/** Weights of the thirteen digits before the last one of a CNPJ; of the twelve before, those from the second on. */
const weights = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];

function cnpjDigit(before: string): number {
  const shift = weights.length - before.length;
  const sum = [...before].reduce((all, digit, at) => all + Number(digit) * (weights[at + shift] ?? 0), 0);
  return sum % 11 < 2 ? 0 : 11 - (sum % 11);
}

/** Whether it is the number of a company in Brazil, by both of its check digits (modulo 11). */
function isCnpj(text: string): boolean {
  const digits = withoutSeparators(text);
  return /^\d{14}$/.test(digits) && [12, 13].every((at) => cnpjDigit(digits.slice(0, at)) === Number(digits[at]));
}

/**
 * The tax id of a buyer, in which no number of a payment card may stand. A CNPJ has as many digits as some cards: one of
 * thirty could be such a number, and is taken by its own check digits.
 */
export const taxId = withoutCardNumber(line(1, 50), isCnpj);
