import { cookieLine, readCookie } from '@lyceum/web';
import type { Exchange, Step } from '../exchange/exchange.ts';
import { slot } from '../exchange/slot.ts';
import { browserCookie } from './cookies.ts';

/** The secret in the cookie that identifies this browser before a person signs in. */
export const browserSecretSlot = slot<string>('the secret of the browser');

/** Identifies this browser by a cookie, which it gets when it has none. */
export const identifyBrowser: Step = (exchange: Exchange): void => {
  const cookie = browserCookie(exchange.school.issuer);
  const known = readCookie(exchange.request, cookie);
  const secret = known ?? exchange.ports.ids.secret();
  if (known === undefined) exchange.cookies.push(cookieLine(cookie, secret));
  exchange.set(browserSecretSlot, secret);
};
