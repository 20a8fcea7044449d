import { isRejection } from '@lyceum/kernel';
import { type Work, decide, orderNow, subscriptionNow } from './renewal.work.ts';

/** Whether what an order was for rests: its subscription, or a period or another plan of it. */
const rests = async (work: Work, id: string): Promise<boolean> =>
  (await orderNow(work, id))?.lines.some(({ suspended, revoked }) => suspended && !revoked) ?? false;

/** The payment of an order is disputed: its subscription rests, once it has what the order was for. */
export async function suspend(work: Work, id: string): Promise<object> {
  const order = await orderNow(work, id);
  const isAwaited = order?.lines.some(({ fulfilled }) => !fulfilled) ?? true;
  if (isAwaited || !(await rests(work, id))) return {};
  return decide(work, { type: 'SuspendSubscription', order_id: id }, id);
}

/** A dispute is won: the subscription goes on when it rests for no other. */
export async function restore(work: Work): Promise<object> {
  const { state } = await subscriptionNow(work);
  for (const id of state?.disputed ?? []) if (await rests(work, id)) return {};
  const outcome = await decide(work, { type: 'RestoreSubscription' });
  if (isRejection(outcome)) throw new Error(outcome.reason);
  return outcome;
}
