import { isRejection } from '@lyceum/kernel';
import type { Ports } from '@lyceum/web';
import type { AccountHolder } from '../domain/accounts/account-holder.ts';
import { accountDecider } from '../domain/accounts/account.ts';
import { disconnectAll } from '../domain/grants/connected-clients.ts';
import { endAllSessions } from '../domain/sessions/account-sessions.ts';
import { requireStream } from '../domain/streams.ts';
import { write } from '../domain/write.ts';

/**
 * Signs a person out everywhere: every sign-in, grant and token from before is void. The first commit says so for all of
 * them, and other services learn it; ending each by itself afterwards notifies its client and clears the lists. May be repeated.
 */
export async function signOutEverywhere(
  ports: Pick<Ports, 'log' | 'documents' | 'clock' | 'ids'>,
  own: AccountHolder,
): Promise<void> {
  const stream = requireStream('account', own.account);
  const command = { type: 'EndSessions', now: ports.clock.now() } as const;
  const done = await write(ports, accountDecider, { school: own.school, stream, meta: own.meta }, command);
  if (isRejection(done)) throw new Error(done.reason);
  await disconnectAll(ports, own);
  await endAllSessions(ports, own);
}
