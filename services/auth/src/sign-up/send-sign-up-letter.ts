import { MailRefused } from '@lyceum/mail';
import { sealInvitation } from '@lyceum/runtime';
import { setTimeout as pause } from 'node:timers/promises';
import { findOpenByEmail } from '../accounts/account-registry.ts';
import { emailKey } from '../accounts/email.ts';
import type { Exchange } from '../endpoint/exchange.ts';
import { writeLetter } from '../letters/letter.ts';
import { lifetimes } from '../lifetimes.ts';
import { invitedAs } from '../members/invited-as.ts';
import { resetPath } from '../recovery/reset-path.ts';
import { seconds } from '../writing.ts';
import { signUpLetters } from './sign-up-letters.ts';
import { signUpPath } from './sign-up-path.ts';

/** An address gets one such letter in so many milliseconds, whoever asks. */
const quiet = 60_000;
/** Milliseconds before each further try. */
const pauses = [500, 2_000, 8_000];
/** A request that is longer than this stays behind: mail programs break long links. Characters. */
const longestRequest = 2_000;

/**
 * Sends a link that opens an account to an address, or says that there is one already. Nothing of it is kept: whoever gets
 * no letter asks again. Never rejects.
 */
export async function sendSignUpLetter(
  exchange: Exchange,
  email: string,
  interaction: string | undefined,
): Promise<void> {
  const { ports, requestId } = exchange;
  try {
    const letter = await letterTo(exchange, email, interaction);
    if (letter) await send(exchange, letter);
  } catch (err) {
    ports.logger.error({ service: 'auth', request_id: requestId, err }, 'a letter about a sign-up was not sent');
  }
}

async function letterTo(exchange: Exchange, email: string, interaction: string | undefined) {
  const { ports, school, texts } = exchange;
  const key = await emailKey(ports.vault, school.id, email);
  if (!(await ports.ephemeral.putIfAbsent(`${school.id}:sign-up:${key}`, '1', quiet))) return undefined;
  const known = await findOpenByEmail(ports, school.id, email);
  const letters = signUpLetters(texts.lang);
  const to = known?.email ?? email;
  const link = known ? `${school.issuer}${resetPath}` : await linkFor(exchange, email, interaction);
  const written = writeLetter(letters, known ? letters.known : letters.open, { school: school.name, email: to, link });
  return { to, ...written, idempotencyKey: `sign-up/${ports.ids.secret(16)}` };
}

/** Whoever is invited already becomes the member that was invited, with the role of the invitation. */
async function linkFor({ ports, school }: Exchange, email: string, interaction: string | undefined): Promise<string> {
  const { ask, rootKeys } = ports.joining;
  const member = (await invitedAs(ask, school.id, email)) ?? ports.ids.next('account');
  const expires = seconds(ports.clock) + lifetimes.mailLink;
  const query = new URLSearchParams({ invitation: sealInvitation(rootKeys, school.id, { member, email, expires }) });
  if (interaction !== undefined && interaction.length <= longestRequest) query.set('interaction', interaction);
  return `${school.issuer}${signUpPath}?${query.toString()}`;
}

async function send({ ports, school }: Exchange, letter: Awaited<ReturnType<typeof letterTo>> & object): Promise<void> {
  const from = school.name.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 200);
  for (let failures = 0; ; failures += 1)
    try {
      return await ports.joining.mail.send({ from, ...letter });
    } catch (error) {
      const wait = pauses[failures];
      if (error instanceof MailRefused || wait === undefined) throw error;
      await pause(wait, undefined, { ref: false });
    }
}
