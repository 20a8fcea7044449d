import { isIPv4, isIPv6 } from 'node:net';

/**
 * Whom an IP address counts for: an IPv4 address for itself, an IPv6 address for its /64, which is what one household or
 * one machine of a data centre has to itself. Anything else is kept as it is.
 */
export function addressPartition(address: string): string {
  // An IPv4 address has neither a zone nor a colon, and most are.
  if (isIPv4(address)) return address;
  const [plain = address] = address.split('%', 1);
  if (!isIPv6(plain)) return plain;
  const groups = groupsOf(plain);
  const [, , , , , marker, high = 0, low = 0] = groups;
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && marker === 0xffff;
  if (isMapped) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The network that an IPv6 address is likely to have been given with 65,535 others like its own; undefined for others. */
export function addressNetwork(address: string): string | undefined {
  const partition = addressPartition(address);
  return partition.endsWith('::/64') ? `${partition.split(':').slice(0, 3).join(':')}::/48` : undefined;
}

/** The eight groups of an IPv6 address. @see RFC 4291 §2.2 */
function groupsOf(address: string): readonly number[] {
  const hex = address.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [head = '', tail] = hex.split('::');
  const parse = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16)));
  if (tail === undefined) return parse(head);
  const [before, after] = [parse(head), parse(tail)];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}
