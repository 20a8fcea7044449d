import type { Ports } from '@lyceum/web';
import { consentStream } from '../streams.ts';
import { read, seconds, write } from '../write.ts';
import { type Wanted, agreedAt, consentDecider, covers } from './consent.ts';

/** The school, the account and the client of a consent. */
interface Parties {
  readonly school: string;
  readonly account: string;
  readonly client: string;
}

type Writing = Pick<Ports, 'log' | 'clock' | 'ids'>;

/** Whether the person has agreed to all of this within the last 90 days, and after `since` (seconds since the epoch). */
export async function isConsented(
  ports: Pick<Ports, 'log' | 'clock'>,
  { school, account, client }: Parties,
  wanted: Wanted,
  since: number,
): Promise<boolean> {
  const known = await read(ports, consentDecider, school, consentStream(account, client));
  return covers(known, wanted, seconds(ports.clock)) && agreedAt(known) > since;
}

/** Remembers for 90 days what the person agreed to. */
export async function rememberConsent(
  ports: Writing,
  { school, account, client }: Parties,
  { scopes, resource }: Wanted,
): Promise<void> {
  const target = { school, stream: consentStream(account, client), meta: { actor: account, client } };
  const now = seconds(ports.clock);
  await write(ports, consentDecider, target, { type: 'RememberConsent', client, account, scopes, resource, now });
}

/** Forgets what the person agreed to: the client's next request asks again. Idempotent. */
export async function withdrawConsent(ports: Writing, { school, account, client }: Parties): Promise<void> {
  const target = { school, stream: consentStream(account, client), meta: { actor: account, client } };
  await write(ports, consentDecider, target, { type: 'WithdrawConsent' });
}
