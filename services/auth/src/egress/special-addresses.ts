import { BlockList, isIP } from 'node:net';

/** Ranges of IPv4 that are not somebody's server on the public Internet. @see RFC 6890 §2.2.2, RFC 5771, RFC 1112 §4 */
const special: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Ranges inside of global unicast IPv6 that are special all the same: some of them lead to an IPv4 address. */
const specialInGlobal: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const refused = new BlockList();
for (const [network, prefix] of special) refused.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of specialInGlobal) refused.addSubnet(network, prefix, 'ipv6');

const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');

/**
 * Whether an address is a server on the public Internet. Of IPv6 only global unicast is: no loopback, link-local, unique
 * local, multicast, mapped, translated or documentation address. What is no address is not public.
 * @see RFC 6890 §2.2, RFC 4291 §2.4
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !refused.check(address, 'ipv4');
  if (family === 6) return global.check(address, 'ipv6') && !refused.check(address, 'ipv6');
  return false;
}
