import type { IncomingMessage } from 'node:http';
import { type Cookie, cookieAt, cookieLine, readCookie, sentCookies } from '@lyceum/web';
import type { School } from '../../routing/school.ts';

/** Seconds for which a browser may read the orders that were placed in it as a guest. */
const kept = 30 * 86_400;
/** Orders of guests that a browser keeps. */
const mostKept = 8;

const orderForm = /^order_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text is the id of an order. */
export const isOrderId = (text: string): boolean => orderForm.test(text);

const cookieOf = ({ baseUrl }: School, order: string): Cookie => cookieAt(baseUrl, order);

/** The secret of an order, by which a guest reads it; undefined in another browser. */
export const secretOf = (request: IncomingMessage, school: School, order: string): string | undefined =>
  readCookie(request, cookieOf(school, order));

const secretForm = /^[\w-]{43}$/;

/** The orders of guests that a browser has a secret of, the newest first, which their ids tell. */
function keptIn(request: IncomingMessage, { baseUrl }: School): readonly (readonly [order: string, secret: string])[] {
  const { name: prefix } = cookieAt(baseUrl, '');
  return [...sentCookies(request)]
    .map(([name, secret]) => [name.startsWith(prefix) ? name.slice(prefix.length) : '', secret] as const)
    .filter(([order]) => isOrderId(order))
    .sort(([one], [other]) => (one < other ? 1 : -1));
}

/** The secrets of the orders that were placed in this browser as a guest, the newest first. */
export const secretsOf = (request: IncomingMessage, school: School): readonly string[] =>
  keptIn(request, school)
    .map(([, secret]) => secret)
    .filter((secret) => secretForm.test(secret))
    .slice(0, mostKept);

/**
 * The `Set-Cookie` lines that keep the secret of an order in this browser. Each order has a cookie of its own, so that two
 * pages never lose one; the oldest go, which their ids tell.
 */
export function keepSecret(request: IncomingMessage, school: School, order: string, secret: string): readonly string[] {
  const others = keptIn(request, school)
    .map(([name]) => name)
    .filter((name) => name !== order);
  return [
    cookieLine(cookieOf(school, order), secret, kept),
    ...others.slice(mostKept - 1).map((each) => cookieLine(cookieOf(school, each), '', 0)),
  ];
}
