import type { Look } from '@lyceum/contracts';
import { themeOf } from './theme.ts';

/**
 * `form-action` is absent on purpose, and no other directive falls back to it. Chromium applies it to every redirect
 * that follows a form post, and ours ends at the client: at `http://[::1]:<port>`, which a CSP host-source cannot
 * name, and often further on, when the client's callback sends the browser to a page that only the client knows.
 * No list of ours can hold that chain. What the directive would stop, a form smuggled into the page, the escaping of
 * every value stops.
 */
const contentSecurityPolicy = (styleHash: string): string =>
  ["default-src 'none'", `style-src '${styleHash}'`, 'img-src data:', "base-uri 'none'", "frame-ancestors 'none'"].join(
    '; ',
  );

const nobodyNeeds = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'usb'];

const headers: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': nobodyNeeds.map((feature) => `${feature}=()`).join(', '),
  'Cross-Origin-Resource-Policy': 'same-origin',
  // Anything stricter cuts the popup of a web client from its opener for good, even after it has come back home.
  'Cross-Origin-Opener-Policy': 'unsafe-none',
};

/**
 * The response headers of every page. Fit for any client: they hold nothing of its redirect URI.
 * With `no-referrer` a browser sends `Origin: null` with the form, so a CSRF check reads the token of the form
 * (and `Sec-Fetch-Site`), never `Origin`.
 * @see RFC 9700 §4.16
 */
export const pageHeaders = (look?: Look): Record<string, string> => ({
  ...headers,
  'Content-Security-Policy': contentSecurityPolicy(themeOf(look).styleHash),
});
