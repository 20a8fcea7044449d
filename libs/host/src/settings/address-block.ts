import { isIP } from 'node:net';

/** Whether a text is an IP address or a CIDR block, e.g. `10.0.0.0/8`. @see RFC 4632 §3.1 */
export function isAddressBlock(text: string): boolean {
  const [network = '', bits, ...more] = text.split('/');
  const longest = { 4: 32, 6: 128 }[isIP(network)];
  if (longest === undefined || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest);
}
