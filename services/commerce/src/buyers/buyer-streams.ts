import type { Vault } from '@lyceum/eventlog';
import { uuidv5 } from '@lyceum/kernel';
import { createHmac } from 'node:crypto';

/**
 * The name of a stream about a buyer, by what is known of them: the same for as long as the school is, and it says nothing
 * about the buyer to who has not the school's secret. `kind`: what the stream keeps.
 */
export async function buyerStream(
  vault: Pick<Vault, 'derive'>,
  school: string,
  kind: 'redeemer' | 'checkouts',
  known: readonly string[],
): Promise<string> {
  const key = await vault.derive(school, kind === 'redeemer' ? 'coupon-redeemer' : kind);
  const digest = createHmac('sha256', key).update(JSON.stringify(known)).digest('hex');
  return `${kind}_${uuidv5(kind, digest)}`;
}
