import { foldEmail } from '@lyceum/contracts';
import type { Vault } from '@lyceum/eventlog';
import { createHmac } from 'node:crypto';

/**
 * The name under which a school's address is claimed and found: a hash keyed with a secret of the school, because a plain
 * one can be guessed, and stream names carry no personal data.
 */
export async function memberEmailKey(vault: Pick<Vault, 'derive'>, school: string, email: string): Promise<string> {
  const key = await vault.derive(school, 'member-email');
  return createHmac('sha256', key).update(foldEmail(email)).digest('base64url');
}
