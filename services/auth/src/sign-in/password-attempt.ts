import { type KnownAccount, findAccount, findOpenByEmail } from '../domain/accounts/account-registry.ts';
import type { Exchange } from '../http/exchange/exchange.ts';
import { formSlot } from '../http/exchange/parameters.ts';
import type { Html } from '../pages/markup/html.ts';
import { waitSentence } from '../pages/markup/wait-sentence.ts';
import { rememberDevice } from './device-cookie.ts';
import { beginAttempt } from './sign-in-throttle.ts';

/** What came of a password: an account, or seconds to wait before the next try (0 = none). */
export type Attempt = { readonly account: KnownAccount } | { readonly wait: number };

/**
 * Checks `email` and `password` of the form. The answer for an unknown account is the same, after the same time, as for a
 * wrong password; failures make the next try wait.
 */
export async function attemptPassword(exchange: Exchange): Promise<Attempt> {
  const form = exchange.require(formSlot);
  const [email, password] = [form.get('email') ?? '', form.get('password') ?? ''];
  const permission = await beginAttempt(exchange, email);
  if (!('succeeded' in permission)) return permission;
  const account = await accountWith(exchange, email, password).catch(async (error: unknown) => {
    // Nothing was tried, e.g. because too many are signing in.
    await permission.succeeded();
    throw error;
  });
  if (!account) return { wait: permission.wait };
  await permission.succeeded();
  await rememberDevice(exchange, account.email);
  return { account };
}

/** A hash is computed in any case; only with the right password is the status of the member looked up. */
async function accountWith(
  { ports, school }: Exchange,
  email: string,
  password: string,
): Promise<KnownAccount | undefined> {
  const account = email === '' ? undefined : await findOpenByEmail(ports, school.id, email);
  const fits = await ports.passwords.verify(account?.passwordHash, password, school.id);
  return fits && account ? findAccount(ports, school.id, account.id) : undefined;
}

/** How a sign-in page answers a password that was not right. */
export const refusalOf = (
  { texts }: Exchange,
  wait: number,
): { readonly status: number; readonly problem: string | Html; readonly headers: Readonly<Record<string, string>> } =>
  wait > 0
    ? { status: 429, problem: waitSentence(texts, wait), headers: { 'Retry-After': `${wait}` } }
    : { status: 401, problem: texts.signInWrong, headers: {} };
