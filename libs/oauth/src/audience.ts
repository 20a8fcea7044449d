/**
 * Whether a token meant for `audience` may be used at `path` of this issuer: the audience is the issuer itself or a URI
 * below it whose path is a prefix of the request's, segment by segment.
 * @see RFC 8707 §2
 */
export function covers(audience: string, issuer: string, path: string): boolean {
  if (!audience.startsWith(issuer)) return false;
  const below = audience.slice(issuer.length).replace(/\/$/, '');
  if (below === '') return true;
  return below.startsWith('/') && (path === below || path.startsWith(`${below}/`));
}
