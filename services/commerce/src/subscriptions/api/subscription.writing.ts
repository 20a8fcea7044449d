import { type Call, type Reply, type View, accepted, asOf } from '@lyceum/web';
import type { CommercePorts } from '../../ports/commerce-ports.ts';
import { type SubscriptionOutcome, decideSubscription, subscriptionRejections } from '../../subscribing/subscribing.ts';
import type { SubscriptionCommand } from '../subscription.ts';
import { subscriptionDocument } from './subscription.view.ts';

/** The part of a call that a command to a subscription is made of. */
export type Commanding = Pick<Call, 'school' | 'meta' | 'commit' | 'expected'>;

/** Brings the command of a call to a subscription. */
export const command = (
  ports: Pick<CommercePorts, 'log' | 'clock' | 'turns'>,
  { school, meta, commit, expected }: Commanding,
  id: string,
  asked: (now: string) => SubscriptionCommand,
): Promise<SubscriptionOutcome> => decideSubscription(ports, { school, id, ...commit, meta, expected }, asked);

/** A subscription after a command. Throws the problem that a rejection means. */
export function subscriptionAfter(outcome: SubscriptionOutcome) {
  const { state, ...done } = accepted(outcome, subscriptionRejections);
  if (!state) throw new Error('a command to a subscription left none');
  return { ...done, state };
}

/** The answer to a command. Throws the problem that a rejection means. */
export function answerTo(outcome: SubscriptionOutcome, view: View): Reply {
  const { stream, state, ...done } = subscriptionAfter(outcome);
  return { body: subscriptionDocument(stream, state, view), ...asOf(done) };
}
