import { cookieLine, readCookie } from '@lyceum/web';
import { emailKey } from '../domain/accounts/email-key.ts';
import { lifetimes } from '../domain/lifetimes.ts';
import { deviceCookie } from '../http/cookies/cookies.ts';
import type { Exchange } from '../http/exchange/exchange.ts';

/** Identifies the account to this service only. */
const partsOf = async ({ ports, school }: Exchange, email: string): Promise<readonly string[]> => [
  school.id,
  await emailKey(ports.vault, school.id, email),
];

/** Lets this browser have a quota of its own at later sign-ins to the account. It gives access to nothing. */
export async function rememberDevice(exchange: Exchange, email: string): Promise<void> {
  const tag = exchange.ports.sealer.tag('device', await partsOf(exchange, email));
  exchange.cookies.push(cookieLine(deviceCookie(exchange.school.issuer), tag, lifetimes.knownDevice));
}

/** Whether somebody has signed in to the account of this address in this browser before. */
export async function isKnownDevice(exchange: Exchange, email: string): Promise<boolean> {
  const tag = readCookie(exchange.request, deviceCookie(exchange.school.issuer));
  return tag !== undefined && exchange.ports.sealer.tagged('device', await partsOf(exchange, email), tag);
}
