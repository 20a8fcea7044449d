import { type Slice, aggregate, streamNamed, streamsOf } from '@lyceum/service';
import { orderEvents } from '../order.events.ts';
import { orderFact } from '../order.facts.ts';
import { orderOperations } from './order.http.ts';
import { numbering, numberingEvents, numberingStream } from '../order.numbers.ts';
import { erasingGuests } from './order.erasure.ts';
import { orderData } from './order.personal.ts';
import { orderProjection } from './order.rows.ts';
import { orderDecider } from '../deciding/order.ts';

/** What was bought, and what became of the money. */
export const orderSlice: Slice = {
  name: 'orders',
  operations: orderOperations,
  events: { ...orderEvents, ...numberingEvents },
  aggregates: [aggregate(streamsOf('order_'), orderDecider), aggregate(streamNamed(numberingStream), numbering)],
  projections: [orderProjection],
  toFact: orderFact,
  personalData: [orderData],
  reactions: [erasingGuests],
};
