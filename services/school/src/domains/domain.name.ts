import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * Names that the public DNS gives to nobody, with everything below them; and those that private networks use as if it had.
 * @see RFC 6761, RFC 6762 §3, RFC 7686, RFC 8375, RFC 9476
 */
const specialUse = 'alt arpa example invalid local localhost onion test internal example.com example.net example.org'
  .concat(' corp home intranet lan localdomain private')
  .split(' ');

/** What would be read as something else than a name: a scheme, a port, a path, a user, an escape, an IPv6 address. */
const foreign = /[\s/:@?#%\\*_[\]]/u;
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const hostName = new RegExp(String.raw`^(?=.{1,253}$)${label}(?:\.${label})*$`);
/** An A-label that stands for nothing stays what it is: Node.js 24 takes it for a name. */
const encoded = /(?:^|\.)xn--/;
const numeric = /(?:^|\.)(?:\d+|0x[\da-f]*)$/;

/** The longest name that is looked at, in characters; in A-labels a name has 253 at most. */
export const longestName = 253;

/** The name of a domain in lower case and A-labels, or a sentence that says what is wrong with it. */
export type DomainName = { readonly domain: string } | { readonly fault: string };

/**
 * Reads a domain that a school could have for its own. `platform`: domains of the platform itself.
 * @see RFC 5890 §2.3.2.1, RFC 1123 §2.1
 */
export function domainName(text: string, platform: readonly string[] = []): DomainName {
  if (text.length > longestName || foreign.test(text))
    return { fault: 'must be a domain name, e.g. learn.my-school.com' };
  const domain = domainToASCII(text.replace(/\.$/, '')).toLowerCase();
  if (!hostName.test(domain) || encoded.test(domainToUnicode(domain)))
    return { fault: 'must be a domain name, e.g. learn.my-school.com' };
  if (numeric.test(domain)) return { fault: 'must be a domain name, not an IP address' };
  if (!domain.includes('.')) return { fault: 'must be a full domain name, of two labels or more' };
  if (specialUse.some((name) => isWithin(domain, name))) return { fault: 'must be a name of the public DNS' };
  if (platform.some((name) => isWithin(domain, name))) return { fault: 'must not be a domain of this platform' };
  return { domain };
}

const isWithin = (domain: string, suffix: string): boolean => domain === suffix || domain.endsWith(`.${suffix}`);
