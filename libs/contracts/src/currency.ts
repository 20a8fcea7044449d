/**
 * Currencies whose amounts have not two digits behind the point, by how many they have. A list of our own: `Intl` goes by
 * custom rather than by the standard (HUF, COP and IDR without digits), and differently from one runtime to the next, which
 * would change what stored amounts mean.
 * @see ISO 4217, List One
 */
const others: readonly (readonly [digits: number, currencies: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];

const digits: ReadonlyMap<string, number> = new Map(
  others.flatMap(([count, currencies]) => currencies.split(' ').map((currency) => [currency, count] as const)),
);

/** Digits behind the point of a currency's amounts: 2 for USD and HUF, 0 for JPY, 3 for KWD. An amount counts the last one. */
export const minorDigits = (currency: string): number => digits.get(currency) ?? 2;

/**
 * The largest amount that a price can have: 99,999,999.99, in the smallest units of its currency. Twenty lines of an order with
 * a hundred of each, and the tax on them, stay integers that a number has exactly.
 */
export const largestAmount = (currency: string): number => {
  const digits = minorDigits(currency);
  return digits < 2 ? 99_999_999 * 10 ** digits : 9_999_999_999 * 10 ** (digits - 2);
};
