import { foldEmail } from '@lyceum/contracts';
import type { Vault } from '@lyceum/eventlog';
import type { ModulePorts } from '@lyceum/service';
import { type Call, RateLimiter, addressPartition, perDay, perHour, perMinute, refuseBeyond } from '@lyceum/web';
import { createHmac } from 'node:crypto';

/** How often guests at one address may register: each takes a seat, and a mail is sent. */
const registrations = [perMinute('registrations', 10), perDay('registrations-by-day', 60)];

/** How often under one e-mail address: it is written to, and could be anybody's. */
const recipients = [perHour('registration-mails', 5), perDay('registration-mails-by-day', 20)];

/** What limits are kept with. */
export type LimitingPorts = Pick<ModulePorts, 'ephemeral' | 'clock' | 'logger' | 'settings'>;

/** What a guest is known by in a school: it says nothing of the address to who has not the school's secret. */
export async function guestKey(vault: Pick<Vault, 'derive'>, school: string, email: string): Promise<string> {
  const key = await vault.derive(school, 'registrations');
  return createHmac('sha256', key).update(foldEmail(email)).digest('hex');
}

/** Counts a registration of a guest. Throws the 429 problem for one too many. */
export async function admitGuest(
  ports: LimitingPorts,
  { school, address }: Pick<Call, 'school' | 'address'>,
  guest: string,
): Promise<void> {
  const limiter = new RateLimiter(ports, ports.settings.RATE_LIMIT_FACTOR);
  for (const policy of registrations) refuseBeyond(await limiter.admit(policy, school, addressPartition(address)));
  for (const policy of recipients) refuseBeyond(await limiter.admit(policy, school, guest));
}
