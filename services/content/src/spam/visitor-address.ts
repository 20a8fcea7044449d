import type { Vault } from '@lyceum/eventlog';
import { addressPartition } from '@lyceum/web';
import { createHmac } from 'node:crypto';

/**
 * By which it can be seen that two things came from one address, without the address: a hash with a secret of the school, which
 * nobody else can try addresses against.
 */
export async function addressHash(vault: Pick<Vault, 'derive'>, school: string, address: string): Promise<string> {
  const key = await vault.derive(school, 'visitor-address');
  return createHmac('sha256', key).update(addressPartition(address)).digest('hex').slice(0, 32);
}
