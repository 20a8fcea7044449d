import { setTimeout as pause } from 'node:timers/promises';
import { perMinute } from '@lyceum/web';
import { lookAgain, readOrder } from '../../reconciliation/looking.ts';
import type { CommercePorts } from '../../ports/commerce-ports.ts';
import type { OrderNow } from './paying.ts';

/** How often the providers are asked what became of one order: who has paid comes back, and waits. */
const looks = perMinute('payment-looks', 6);

/** Who reads an order waits no longer than this for its provider. Milliseconds. */
const patience = 3_000;

/**
 * The order after its providers were asked what became of it, where they could have told and have not: a person may be
 * here before the webhook. As it was when they give no answer.
 */
export async function asProvidersSay(
  ports: CommercePorts,
  { school, id }: { readonly school: string; readonly id: string },
  now: OrderNow,
): Promise<OrderNow> {
  if (now.state.status !== 'pending') return now;
  const { outcome } = await ports.limits.admit(looks, school, id);
  if (outcome === 'refused') return now;
  const asked = lookAgain(ports, { school, id, state: now.state }).catch((err: unknown) =>
    ports.logger.warn({ err }, 'a payment provider does not say what became of a payment'),
  );
  await Promise.race([asked, pause(patience, undefined, { ref: false })]);
  return (await readOrder(ports, school, id)) ?? now;
}
