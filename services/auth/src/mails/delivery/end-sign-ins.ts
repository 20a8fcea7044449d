import { rowAs } from '@lyceum/documents';
import type { Ports } from '@lyceum/web';
import { findAccount } from '../../domain/accounts/account-registry.ts';
import { type GrantDocument, grantDocuments } from '../../domain/grants/grant.projection.ts';
import { grantDecider } from '../../domain/grants/grant.ts';
import { queryAll } from '../../domain/query-all.ts';
import { type SessionDocument, sessionDocuments } from '../../domain/sessions/session.projection.ts';
import { sessionDecider } from '../../domain/sessions/session.ts';
import { seconds, write } from '../../domain/write.ts';

type EndingPorts = Pick<Ports, 'log' | 'documents' | 'clock' | 'ids'>;

/**
 * Ends by itself every session and grant from before the person was signed out everywhere: all of them are void already,
 * and this notifies clients and clears the person's lists. Idempotent.
 */
export async function endSignIns(ports: EndingPorts, school: string, account: string): Promise<void> {
  const known = await findAccount(ports, school, account);
  if (!known) return;
  const isBefore = (at: number): boolean => at <= known.notBefore;
  const where = [{ field: 'account', is: account }];
  const meta = { actor: 'system' } as const;
  for (const { id: stream, body } of await queryAll(ports, school, sessionDocuments, where))
    if (isBefore(rowAs<SessionDocument>(body).began))
      await write(ports, sessionDecider, { school, stream, meta }, { type: 'EndSession', reason: 'signed_out' });
  const revoke = { type: 'RevokeGrant', reason: 'revoked_by_person', now: seconds(ports.clock) } as const;
  for (const { id: stream, body } of await queryAll(ports, school, grantDocuments, where))
    if (isBefore(Date.parse(rowAs<GrantDocument>(body).since)))
      await write(ports, grantDecider, { school, stream, meta }, revoke);
}
