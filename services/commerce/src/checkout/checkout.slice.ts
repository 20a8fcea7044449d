import type { Slice } from '@lyceum/service';
import { ownedProjection } from '../owned/owned-items.ts';
import { registeredProjection } from '../owned/registered-events.ts';
import type { CommerceServicePorts } from '../ports/commerce-ports.ts';
import type { CommerceSettings } from '../ports/commerce-settings.ts';
import { checkoutOperations } from './checkout.http.ts';
import { quoteCheckout } from './quote.http.ts';
import { answerTestPayment } from './test-payment.query.ts';

/** How people buy: what it costs, and the order. */
export const checkoutSlice: Slice<CommerceSettings, CommerceServicePorts> = {
  name: 'checkout',
  operations: (ports) => [quoteCheckout(ports), ...checkoutOperations(ports)],
  answers: { test_payment: answerTestPayment },
  // Who has what is the learning service's to tell.
  personalData: [],
  follows: [
    { source: 'learning', projection: ownedProjection },
    { source: 'content', projection: registeredProjection },
  ],
};
