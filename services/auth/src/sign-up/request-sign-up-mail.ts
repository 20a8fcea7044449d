import { isRejection } from '@lyceum/kernel';
import { emailKey } from '../domain/accounts/email-key.ts';
import { write } from '../domain/write.ts';
import type { Exchange } from '../http/exchange/exchange.ts';
import { signUpRequestDecider } from './sign-up-request.ts';
import { signUpStream } from './sign-up.events.ts';

/** An address gets at most one such mail in so many milliseconds. */
const quiet = 60_000;
/** A request that is longer than this stays behind: mail programs break long links. Characters. */
const longestRequest = 2_000;

/**
 * Requests a mail to an address that wants to sign up. Whether the address has an account is found out where the mail is
 * written, so the same happens here, in the same time, for every address.
 */
export async function requestSignUpMail(exchange: Exchange, email: string, request: string | undefined): Promise<void> {
  const { ports, school, requestId, texts } = exchange;
  const key = await emailKey(ports.vault, school.id, email);
  if (!(await ports.ephemeral.putIfAbsent(`${school.id}:sign-up:${key}`, '1', quiet))) return;
  const interaction = request !== undefined && request.length <= longestRequest ? request : undefined;
  const [, id = ''] = ports.ids.next('signup').split('_');
  const target = { school: school.id, stream: signUpStream(id), meta: { actor: 'anonymous', correlation: requestId } };
  const done = await write(ports, signUpRequestDecider, target, { email, interaction, language: texts.lang });
  if (isRejection(done)) throw new Error(done.reason);
}
