import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Whether an address belongs to a proxy of the operator. */
export type Trusted = (address: string) => boolean;

/** Proxies by address or CIDR block. Throws when an entry is neither; the settings have checked them. */
export function trustedProxies(entries: readonly string[]): Trusted {
  if (entries.length === 0) return () => false;
  const blocks = new BlockList();
  for (const entry of entries) {
    const [network = '', bits] = entry.split('/');
    const family = familyOf(network);
    if (bits === undefined) blocks.addAddress(network, family);
    else blocks.addSubnet(network, Number(bits), family);
  }
  return (address) => isIP(address) !== 0 && blocks.check(address, familyOf(address));
}

/**
 * Where a request comes from: the address of the connection, or, when a trusted proxy speaks, the right-most address
 * that is not a trusted proxy's, of X-Forwarded-For or Forwarded. What stands further to the left anybody may have
 * written. When both headers are there and disagree, a proxy passes on a header that it does not write: neither is
 * believed.
 * @see RFC 7239 §5.2, §7.4, §8.1
 */
export function clientAddressOf(request: IncomingMessage, isTrusted: Trusted): string {
  const peer = plain(request.socket.remoteAddress ?? '');
  if (!isTrusted(peer)) return peer;
  const { 'x-forwarded-for': listed, forwarded } = request.headers;
  const named = [
    ...(listed === undefined ? [] : [behind(peer, [listed].flat().join(',').split(','), isTrusted)]),
    ...(forwarded === undefined ? [] : [behind(peer, forElements(forwarded), isTrusted)]),
  ];
  const [first = peer, second = first] = named;
  return first === second ? first : peer;
}

/** Follows the hops from the right as long as trusted proxies name them; an unreadable one ends at the proxy that wrote it. */
function behind(peer: string, hops: readonly string[], isTrusted: Trusted): string {
  let known = peer;
  for (const hop of hops.toReversed()) {
    const address = plain(withoutPort(hop.trim()));
    if (isIP(address) === 0) return known;
    known = address;
    if (!isTrusted(address)) return known;
  }
  return known;
}

/** The `for` values of a Forwarded header, one for each proxy; empty where a proxy gives none. */
const forElements = (forwarded: string): readonly string[] =>
  splitOutsideQuotes(forwarded, ',').map((element) => {
    const pair = splitOutsideQuotes(element, ';').find((each) => /^\s*for=/i.test(each));
    return (pair ?? '')
      .replace(/^\s*for=/i, '')
      .trim()
      .replaceAll('"', '');
  });

function splitOutsideQuotes(text: string, separator: string): readonly string[] {
  const parts = [''];
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if (character === separator && !isQuoted) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}

/** `192.0.2.1:443`, `[2001:db8::1]:443` and `[2001:db8::1]` without what is around the address. */
const withoutPort = (hop: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop;

/** An address as most come: nothing is to be taken from it. */
const isPlain = /^[\d.]+$/;

/** An IPv4 address that arrives on an IPv6 socket is the IPv4 address; a zone says nothing to others. */
const plain = (address: string): string =>
  isPlain.test(address)
    ? address
    : address
        .toLowerCase()
        .split('%', 1)[0]!
        .replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, '');

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');
