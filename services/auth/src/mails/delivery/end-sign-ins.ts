import type { Ports } from '@lyceum/web';
import { findAccount } from '../../domain/accounts/account-registry.ts';
import { type GrantRow, grantRows } from '../../domain/grants/grant.projection.ts';
import { grant } from '../../domain/grants/grant.ts';
import { allRows } from '../../domain/query-all.ts';
import { type SessionRow, sessionRows } from '../../domain/sessions/session.projection.ts';
import { session } from '../../domain/sessions/session.ts';
import { seconds, write } from '../../domain/write.ts';

type SettlingPorts = Pick<Ports, 'log' | 'documents' | 'clock' | 'ids'>;

/**
 * Ends by itself every session and grant from before the person was signed out everywhere: all of them are void already,
 * and this tells clients and clears the person's lists. Idempotent.
 */
export async function settleSignOut(ports: SettlingPorts, school: string, account: string): Promise<void> {
  const known = await findAccount(ports, school, account);
  if (!known) return;
  const isBefore = (at: number): boolean => at <= known.notBefore;
  const where = [{ field: 'account', is: account }];
  const meta = { actor: 'system' } as const;
  for (const { id: stream, body } of await allRows(ports, school, sessionRows, where))
    if (isBefore((body as unknown as SessionRow).began))
      await write(ports, session, { school, stream, meta }, { type: 'end', reason: 'signed_out' });
  const revoke = { type: 'revoke', reason: 'revoked_by_person', now: seconds(ports.clock) } as const;
  for (const { id: stream, body } of await allRows(ports, school, grantRows, where))
    if (isBefore(Date.parse((body as unknown as GrantRow).since)))
      await write(ports, grant, { school, stream, meta }, revoke);
}
