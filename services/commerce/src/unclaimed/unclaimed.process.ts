import { fold } from '@lyceum/eventlog';
import { upcast } from '@lyceum/kernel';
import { NeedsOperator, type ProcessManager } from '@lyceum/service';
import type { CommercePorts } from '../ports/commerce-ports.ts';
import { unclaimedEvents } from './unclaimed.events.ts';
import { unclaimedDecider, unclaimedStream } from './unclaimed.ts';

/** What the process has done. The names are stored. */
interface Reporting {
  readonly do: 'report';
  readonly event_id: string;
}

/** Tells operators, by being stuck, what providers said of payments that no order has, until they dismiss it. */
export const unclaimedProcess: ProcessManager<null, never, Reporting, CommercePorts> = {
  name: 'unclaimed-notices',
  events: {},
  initial: null,
  evolve: (state) => state,
  correlate: ({ stream, type }) =>
    stream === unclaimedStream && Object.hasOwn(unclaimedEvents, type) ? unclaimedStream : undefined,
  react(input) {
    if (input.kind !== 'event') return {};
    const event = upcast(unclaimedEvents, input.event);
    return event.type === 'NoticeUnclaimed' ? { commands: [{ do: 'report', event_id: event.data.event_id }] } : {};
  },
  async carryOut({ event_id }, { tenant }, { log }) {
    const { state } = await fold(log, unclaimedDecider, tenant, unclaimedStream);
    const notice = state.waiting.find((each) => each.event_id === event_id);
    if (!notice) return {};
    const { provider, kind, order_id, payment_id, reason } = notice;
    throw new NeedsOperator(`${provider} tells: ${kind} for ${payment_id} of ${order_id} (${event_id}). ${reason}`);
  },
};
