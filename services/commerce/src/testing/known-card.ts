/** The number of a card of tests, in the ways in which people and programs write it. */
export const pan = '4242424242424242';
export const spellings = [
  pan,
  '4242 4242 4242 4242',
  '4242-4242-4242-4242',
  Buffer.from(pan).toString('base64'),
] as const;

/** All that may stand nowhere. */
const secrets: readonly string[] = [
  ...spellings,
  'fingerprint-of-the-card',
  'CVC-987',
  '5555555555554444',
  '378282246310005',
];

/** What of a card stands in a text. */
export const cardDataIn = (text: string): readonly string[] => secrets.filter((each) => text.includes(each));

const card = { brand: 'visa', last4: '4242', fingerprint: 'fingerprint-of-the-card', number: pan, cvc: 'CVC-987' };

/** What a provider knows of a buyer's card, in each place of its objects, and in some where it does not belong. */
export const knownCard = {
  customer_details: { name: spellings[1], email: `${pan}@example.org`, phone: pan, address: { line1: spellings[2] } },
  payment_method_details: { type: 'card', card },
  charges: { data: [{ billing_details: { name: spellings[1] }, payment_method_details: { card } }] },
  description: `paid by ${pan}, not by 5555555555554444`,
  last_payment_error: { code: 'card_declined', message: `card ${pan}`, payment_method: { card } },
  custom_fields: [{ key: 'card', text: { value: '378282246310005' } }],
} as const;
