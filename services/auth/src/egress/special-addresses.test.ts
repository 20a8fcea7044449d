import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isPublicAddress } from './special-addresses.ts';

const words = (text: string) => text.trim().split(/\s+/);

const special = words(`
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.9.9.9 169.254.169.254 172.16.0.1
  172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.7
  224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255
  :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:8.8.8.8 64:ff9b::8.8.8.8 64:ff9b:1::1 100::1 fc00::1
  fd12:3456::1 fe80::1 fec0::1 ff02::1 2001::1 2001:db8::1 2002:7f00:1:: 3fff::1 5f00::1 ::ffff:a9fe:a9fe
`);
const open = words(`
  8.8.8.8 1.1.1.1 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 193.0.0.1 223.1.1.1
  2606:4700:4700::1111 2a00:1450:4001::200e 2001:4860:4860::8888
`);

describe('public addresses', () => {
  test.each(special)('RFC 6890 §2.2: %s is not public', (address) => expect(isPublicAddress(address)).toBe(false));

  test.each(open)('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

  test.each(['', 'localhost', '127.1', '0x7f000001', '2130706433', '[::1]', '8.8.8.8 '])('%j is no address', (text) =>
    expect(isPublicAddress(text)).toBe(false),
  );

  test('a private address stays private in every form that carries it in IPv6', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 }), (a, b) => {
        for (const form of [`::ffff:10.${a}.${b}.1`, `::10.${a}.${b}.1`, `64:ff9b::10.${a}.${b}.1`])
          expect(isPublicAddress(form)).toBe(false);
        expect(isPublicAddress(`2002:a${a.toString(16).padStart(2, '0')}:${b.toString(16)}01::`)).toBe(false);
      }),
    ));
});
