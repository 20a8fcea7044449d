import * as oauth from 'oauth4webapi';

/** Plain HTTP is for this machine only. @see RFC 8252 §8.3 */
const isThisMachine = (url: URL): boolean => /^(?:127\.0\.0\.1|\[::1\]|(?:.+\.)?localhost)$/.test(url.hostname);

/** What requests to a school may do. */
export const sending = (school: URL): { readonly [oauth.allowInsecureRequests]?: true } =>
  isThisMachine(school) ? { [oauth.allowInsecureRequests]: true } : {};

/** Finds the authorization server of a school. Throws when there is none. @see RFC 8414 §3 */
export async function discover(school: URL): Promise<oauth.AuthorizationServer> {
  const response = await oauth.discoveryRequest(school, { algorithm: 'oauth2', ...sending(school) });
  return oauth.processDiscoveryResponse(school, response);
}
