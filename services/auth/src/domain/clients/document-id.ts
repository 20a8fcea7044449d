const longest = 512;

/** Whether a client names itself by an address rather than by an id that was issued here. */
export const isAddress = (id: string): boolean => /^https?:\/\//.test(id);

/**
 * Whether a client id is an address at which a metadata document may be: https, a host, a path; no dot segments, userinfo,
 * query or fragment; written as a URL parser writes it, so that everybody reads the same address in it.
 * @see draft-ietf-oauth-client-id-metadata-document-02 §3
 */
export function isDocumentId(id: string): boolean {
  if (!id.startsWith('https://') || id.length > longest || !/^[\x21-\x7e]+$/.test(id) || /[?#@\\]/.test(id))
    return false;
  if (!URL.canParse(id)) return false;
  const { href, pathname } = new URL(id);
  return href === id && pathname !== '/';
}

/** The host that a client's id names, with the port if it is not the usual one; undefined when its id is no address. */
export const documentHost = (id: string): string | undefined =>
  isAddress(id) && URL.canParse(id) ? new URL(id).host : undefined;
