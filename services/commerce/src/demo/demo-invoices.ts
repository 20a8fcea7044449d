import { type IssuingPorts, issueDocuments } from '../invoicing/invoice.issuing.ts';

/**
 * Issues what is issued for an order of the demo at the times of its events: the reaction that issues it for every order
 * finds it there. Otherwise a school of three months would issue all its invoices today, and send them.
 */
export async function issueInvoicesAsThen(ports: IssuingPorts, school: string, order: string): Promise<void> {
  const { commits } = await ports.log.load(school, [order]);
  for (const { at, position, events } of commits) {
    const clock = { now: () => Date.parse(at) };
    for (const event of events)
      if (event.stream === order) await issueDocuments({ ...event, tenant: school, at, position }, { ...ports, clock });
  }
}
