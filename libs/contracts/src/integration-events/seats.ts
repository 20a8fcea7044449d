import { z } from 'zod';
import { published } from './declaration.ts';

const item = { item_type: z.string(), item_id: z.string() };

const seat = {
  ...item,
  request_id: z.string().meta({
    description: 'What the seat is for: the line of an order, or the request of a service that gives things away',
  }),
};

const counted = {
  taken: z.number().int().meta({ description: 'How many seats are taken; 0 where nobody counts' }),
  limit: z.number().int().nullable().meta({ description: 'How many seats there are; null = as many as are wanted' }),
};

/**
 * What services that give things away publish: the commerce service, which counts the seats, answers. A request is answered
 * once. Whoever is denied and asks again does so under another `request_id`.
 */
export const seatRequestFacts = {
  SeatRequested: published(
    1,
    z.object({ ...seat, member_id: z.string().nullable().meta({ description: 'null = somebody who is no member' }) }),
    { means: 'Somebody is to have a seat; the answer is SeatTaken or SeatDenied' },
  ),
  SeatReturned: published(1, z.object(seat), {
    means:
      'A seat is free again, also of a request that was not answered yet or is still to come: it gets no seat then',
  }),
} as const;

/** What becomes of seats. */
export const seatFacts = {
  // Where there is no limit, nobody counts, and each request gets a seat.
  SeatTaken: published(1, z.object({ ...seat, ...counted }), { means: 'A request has its seat' }),
  SeatReleased: published(1, z.object({ ...seat, ...counted }), {
    means: 'A seat that was held or taken is free: others who wait may ask for it',
  }),
  SeatDenied: published(1, z.object({ ...seat, ...counted }), {
    means: 'A request gets no seat: all are taken, or held for orders that wait for their payment',
  }),
  SeatLimitSet: published(1, z.object({ ...item, limit: counted.limit }), {
    means: 'So many seats there are from here on: where there are more than before, others who wait may ask',
  }),
} as const;
