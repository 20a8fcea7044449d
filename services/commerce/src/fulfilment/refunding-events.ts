import { facts } from '@lyceum/contracts';
import { fold } from '@lyceum/eventlog';
import { isRejection, uuidv5 } from '@lyceum/kernel';
import type { CommercePorts } from '../ports/commerce-ports.ts';
import { NeedsOperator, type ProcessManager } from '@lyceum/service';
import { orderDecider } from '../orders/deciding/order.ts';
import { lineOfSource, orderOf } from '../orders/order.ids.ts';
import type { Order } from '../orders/order.state.ts';
import { decideHolding } from '../ordering/ordering.ts';

/** A line of an order that is paid back. */
interface Refunding {
  readonly line_id: string;
}

const canceled = facts.content.RegistrationCanceled.data;

/** The line by which somebody bought a place at an event that was called off; undefined for anything else. */
function calledOff({ type, data }: { readonly type: string; readonly data: unknown }): string | undefined {
  if (type !== 'RegistrationCanceled') return undefined;
  const { reason, line_id } = canceled.parse(data);
  if (reason !== 'event' || line_id === undefined || orderOf(line_id) === undefined) return undefined;
  return lineOfSource(line_id);
}

/** Whether nothing is left to be paid back for a line: it was, is about to be, or cost nothing of what was paid. */
function isSettled(state: Order, line_id: string): boolean {
  const line = state.lines.find((each) => each.line_id === line_id);
  const isAsked = state.refunds.some((each) => each.state === 'requested' && each.line_ids.includes(line_id));
  return !line || line.revoked || isAsked || (line.total === 0 && state.total > 0);
}

/** What makes the refund the same one, however often it is asked for. */
const refundOf = (line_id: string) => uuidv5('event-called-off', line_id);

/**
 * Pays back what was paid for places at events that were called off: each line of an order by itself, once. What does not
 * succeed is tried again, and told to the operator.
 */
export const eventRefunds: ProcessManager<null, never, Refunding, CommercePorts> = {
  name: 'event-refunds',
  events: {},
  initial: null,
  evolve: (state) => state,
  correlate: (event) => calledOff(event),
  react(input) {
    const line_id = input.kind === 'event' ? calledOff(input.event) : undefined;
    return line_id === undefined ? {} : { commands: [{ line_id }] };
  },
  async carryOut({ line_id }, { tenant: school, commitId, meta }, ports) {
    const order_id = orderOf(line_id) ?? '';
    const { state } = await fold(ports.log, orderDecider, school, order_id);
    if (state && isSettled(state, line_id)) return {};
    const refund_id = `refund_${refundOf(line_id)}`;
    const about = { order_id, refund_id, amount: null, line_ids: [line_id], reason: 'The event was called off' };
    const asked = { school, id: order_id, commitId, meta };
    const done = await decideHolding(ports, asked, (held) => ({ type: 'RequestRefund', ...about, held }));
    if (isRejection(done)) throw new NeedsOperator(done.reason);
    return done;
  },
};
