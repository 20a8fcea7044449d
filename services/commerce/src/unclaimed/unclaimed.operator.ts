import { type Operation, accepted, attempt, operation } from '@lyceum/web';
import { line } from '@lyceum/contracts';
import { z } from 'zod';
import type { CommercePorts } from '../ports/commerce-ports.ts';
import { unclaimedDecider, unclaimedStream } from './unclaimed.ts';

const dismissUnclaimed = (ports: CommercePorts): Operation =>
  operation({
    id: 'dismissUnclaimedNotice',
    method: 'POST',
    path: '/internal/payments/unclaimed/dismiss',
    area: 'orders',
    anonymous: false,
    summary: 'Say that a notice of a provider which no order claims is dealt with',
    description: 'Its id stands in the words of the stuck process unclaimed-notices: resume that one afterwards.',
    body: z.strictObject({
      school: z.string().min(1).max(100).meta({ description: 'Id of the school.' }),
      event_id: line(1, 200).meta({ description: 'What the provider calls it.' }),
    }),
    status: 200,
    reply: z.object({ event_id: z.string(), waiting: z.int().meta({ description: 'How many others wait.' }) }),
    errors: ['not_found'],
    async handle(call) {
      const { school, event_id } = call.body;
      const command = { type: 'DismissUnclaimed', event_id } as const;
      const outcome = await attempt({ ...call, school }, ports, unclaimedDecider, unclaimedStream, command);
      const { state } = accepted(outcome, { not_found: 404 });
      return { body: { event_id, waiting: state.waiting.length } };
    },
  });

/** What operators do about notices that no order claims. */
export const unclaimedOperations = (ports: CommercePorts): readonly Operation[] => [dismissUnclaimed(ports)];
