/**
 * The origin of a school at a domain of its own, e.g. `https://learn.my-school.com`: the scheme and port are those of its
 * issuer. `domain` is in lower case and A-labels, as facts tell it.
 */
export function domainOrigin(issuer: string, domain: string): string {
  const { protocol, port } = new URL(issuer);
  return `${protocol}//${domain}${port === '' ? '' : `:${port}`}`;
}
