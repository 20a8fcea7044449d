import { foldEmail } from '@lyceum/contracts';
import type { Vault } from '@lyceum/eventlog';
import { createHmac } from 'node:crypto';

/**
 * The name under which a school's address is claimed and counted. Stream names carry no personal data, and a plain hash of
 * an address can be guessed: it is keyed with a secret of the school, which goes with the school.
 */
export async function emailKey(vault: Pick<Vault, 'derive'>, school: string, email: string): Promise<string> {
  const key = await vault.derive(school, 'account-email');
  return createHmac('sha256', key).update(foldEmail(email)).digest('base64url');
}
