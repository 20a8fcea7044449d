import { found, patience } from '@lyceum/testkit';
import type { Got } from '@lyceum/testkit-service';
import type { Selling } from './selling.ts';

let refunds = 0;

/** Pays back all of an order, or so much; waits until it is done. */
export async function refundAll(shop: Selling, order: string, body: object = {}): Promise<void> {
  const before = (await shop.order(order)).refunds.length;
  refunds += 1;
  await shop.call('POST', `/internal/orders/${order}/refunds`, {
    headers: { 'idempotency-key': `refund-all-${refunds}` },
    body: { school: 'school_1', reason: 'asked for', ...body },
  });
  await shop.orderOnce(order, ({ refunds: all }) => all.length > before && all.at(-1).state === 'done');
}

/** The documents that were issued, oldest first, once there are so many. Throws when there are not in time. */
export async function issuedOnce(
  shop: Pick<Selling, 'call' | 'settled'>,
  count: number,
  school = 'school_1',
  milliseconds = patience,
): Promise<readonly Got['body'][]> {
  const look = async () => {
    await shop.settled();
    const { data } = (await shop.call('GET', '/api/invoices?limit=100&sort=created_at', { school })).body;
    return data.length >= count ? data : undefined;
  };
  return found(look, `${count} invoices`, milliseconds);
}
