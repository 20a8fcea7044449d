/**
 * Whether a text names an API of the school: an absolute URI without fragment that is the base URL (with or without a
 * final slash) or lies below it.
 * @see RFC 8707 §2
 */
export function isResourceOf(issuer: string, resource: string): boolean {
  if (resource === issuer || resource === `${issuer}/`) return true;
  if (!resource.startsWith(`${issuer}/`) || resource.includes('#') || !/^[\x21-\x7e]*$/.test(resource)) return false;
  // A path that a URL parser rewrites (dot segments, backslashes) could be read as another one by somebody else.
  return URL.canParse(resource) && new URL(resource).href === resource;
}
