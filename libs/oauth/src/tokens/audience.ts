/**
 * Whether a token meant for `audience` may be used at `path` of a school's base URL or another of its origins: the audience
 * is that origin itself or a URI below it whose path is a prefix of the request's, segment by segment.
 * @see RFC 8707 §2
 */
export function covers(audience: string, origin: string, path: string): boolean {
  if (!audience.startsWith(origin)) return false;
  const below = audience.slice(origin.length).replace(/\/$/, '');
  if (below === '') return true;
  return below.startsWith('/') && (path === below || path.startsWith(`${below}/`));
}
