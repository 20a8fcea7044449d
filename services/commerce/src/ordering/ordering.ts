import type { Documents } from '@lyceum/documents';
import { type EventLog, type Executed, execute } from '@lyceum/eventlog';
import { type Clock, type Meta, type Rejection, isoTime, uuidv5 } from '@lyceum/kernel';
import type { StatusTable } from '@lyceum/web';
import type { PaymentNotice, ProviderName } from '../payments/payment-provider.ts';
import type { Held } from '../orders/order.held.ts';
import { isOrderId } from '../orders/order.ids.ts';
import type { OrderState } from '../orders/order.state.ts';
import { type OrderCode, type OrderCommand, orderDecider } from '../orders/deciding/order.ts';
import { suspendsDisputed } from '../schools/known-schools.ts';
import { readHeld } from './held.ts';
import type { SchoolTurns } from './school-turns.ts';

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const orderRejections = {
  not_found: 404,
  invalid_state: 409,
  validation_failed: 422,
  sold_out: 409,
  coupon_invalid: 409,
} as const satisfies StatusTable<OrderCode>;

interface WritingPorts {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly turns: SchoolTurns;
}

/** With what providers are heard. */
export type NoticePorts = WritingPorts & { readonly documents: Pick<Documents, 'get'> };

/** What came of a command. */
export type OrderOutcome = Executed<OrderState> | Rejection<OrderCode>;

/** Who asks, and under which id that is written once. */
interface Asked {
  readonly school: string;
  readonly id: string;
  readonly commitId: string;
  readonly fingerprint?: string;
  readonly meta?: Meta;
}

const system: Meta = { actor: 'system' };

/** Brings a command to an order that leaves alone what is held for it. */
export function decideOrder(
  { log, clock }: Pick<WritingPorts, 'log' | 'clock'>,
  { school: tenant, id: stream, meta = system, ...commit }: Asked,
  command: (now: string) => OrderCommand,
): Promise<OrderOutcome> {
  const at = isoTime(clock.now());
  return execute(log, orderDecider, { tenant, stream, at, meta, ...commit, command: command(at) });
}

/**
 * Brings a command to an order, with what is held for it as of now, when it is the school's turn: many write to the same
 * coupon and the same seats.
 */
export function decideHolding(
  { log, clock, turns }: WritingPorts,
  { school: tenant, id: stream, meta = system, ...commit }: Asked,
  command: (held: Held, now: string) => OrderCommand,
): Promise<OrderOutcome> {
  const at = isoTime(clock.now());
  const read = async () => {
    const { held, expectedVersions } = await readHeld(log, tenant, stream);
    return { command: command(held, at), expectedVersions };
  };
  return turns.take(tenant, () => execute(log, orderDecider, { tenant, stream, at, meta, ...commit, command: read }));
}

/**
 * Brings what a provider says to the order that it is about: once, however often it comes. What does not fit is kept with
 * the order, where operators see it. Rejected when there is no such order.
 */
export async function takeNotice(
  ports: NoticePorts,
  provider: ProviderName,
  notice: PaymentNotice,
): Promise<OrderOutcome> {
  const { school, order_id: id, event_id } = notice;
  if (!isOrderId(id)) throw new RangeError('a notice of a provider names no order');
  // With the order: one entry of a bank statement may be about several.
  const commitId = uuidv5('payment-notice', provider, id, event_id);
  const suspends = await suspendsDisputed(ports, school);
  return decideHolding(ports, { school, id, commitId }, (held, now) => ({
    type: 'TakeNotice',
    order_id: id,
    provider,
    notice,
    held,
    suspends,
    now,
  }));
}
