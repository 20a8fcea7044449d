import type { Vault } from '@lyceum/eventlog';
import { isRejection, isoTime } from '@lyceum/kernel';
import { type Call, type Ports, Problem, operation } from '@lyceum/web';
import { z } from 'zod';
import { callerOf } from './account-holder-of-call.ts';
import { findAccount } from '../domain/accounts/account-registry.ts';
import { type AccountCommand, accountDecider } from '../domain/accounts/account.ts';
import { emailKey } from '../domain/accounts/email-key.ts';
import { lifetimes } from '../domain/lifetimes.ts';
import { requireStream } from '../domain/streams.ts';
import { write } from '../domain/write.ts';

const body = z
  .strictObject({ email: z.email().max(254).meta({ example: 'ada@example.org' }) })
  .meta({ id: 'ChangeEmail' });

const reply = z
  .object({
    object: z.literal('email_confirmation'),
    email: z.string(),
    expires_at: z.iso.datetime().meta({ description: 'The links in the mails are good until then.' }),
  })
  .meta({ id: 'EmailConfirmation' });

type Asked = Call<{ readonly body: typeof body }>;

/** Milliseconds between two requests of one person: every request sends a mail, to an address that may be a stranger's. */
const pause = 60_000;

/** Starts a change of the e-mail address of the token's person; `vault` keys addresses. */
export const changeOwnEmail = (vault: Pick<Vault, 'derive'>) =>
  operation({
    id: 'changeOwnEmail',
    method: 'POST',
    path: '/api/account/email',
    area: 'account',
    summary: 'Change your e-mail address, or have it confirmed',
    description:
      'Sends a link to the present address and to the new one; the account has the new address once both are confirmed. ' +
      'With the present address, only that one gets a link, which confirms it. The answer does not tell whether another ' +
      'account has the address.',
    scope: 'account:write',
    anonymous: false,
    body,
    status: 202,
    reply,
    errors: ['not_found', 'rate_limited'],
    async handle(call: Asked, ports) {
      const { school, meta } = call;
      const known = await findAccount(ports, school, callerOf(call).subject);
      if (!known) throw new Problem('not_found', 'There is no such account any more');
      await limitToOnce(ports, school, known.id);
      const key = await emailKey(vault, school, call.body.email);
      const now = ports.clock.now();
      const until = isoTime(now + lifetimes.mailLink * 1000);
      const command: AccountCommand =
        key === known.emailKey
          ? { type: 'AskVerification', now }
          : { type: 'AskEmailChange', change: ports.ids.next('change'), email: call.body.email, emailKey: key, until };
      const done = await write(
        ports,
        accountDecider,
        { school, stream: requireStream('account', known.id), meta },
        command,
      );
      if (isRejection(done)) throw new Problem('not_found', done.reason);
      return { body: { object: 'email_confirmation', email: call.body.email, expires_at: until } };
    },
  });

async function limitToOnce({ ephemeral }: Pick<Ports, 'ephemeral'>, school: string, id: string): Promise<void> {
  if (await ephemeral.putIfAbsent(`${school}:email-change:${id}`, '1', pause)) return;
  throw new Problem('rate_limited', 'A mail is on its way already; ask again in a minute', {
    headers: { 'Retry-After': `${pause / 1000}` },
  });
}
