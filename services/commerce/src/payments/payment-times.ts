import type { PaymentTimes } from './payment-provider.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** Of payments that are made on a page, at once. */
export const atOnce: PaymentTimes = { timeToPay: 30 * minute, timeToArrive: 10 * minute };

/** Of transfers that people have so many days for: banks take two more, and longer over a weekend. */
export const inDays = (days: number): PaymentTimes => ({ timeToPay: days * day, timeToArrive: 4 * day });
