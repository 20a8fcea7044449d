import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { IncomingMessage } from 'node:http';
import { clientAddressOf, trustedProxies } from './client-address.ts';

const asked = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;
const trusted = trustedProxies(['10.0.0.0/8', '192.0.2.7', 'fd00::/8']);
const from = (remote: string, headers?: Record<string, string>) => clientAddressOf(asked(remote, headers), trusted);

describe('the address of a client', () => {
  test('is that of the connection unless a trusted proxy speaks, whatever the headers say', () => {
    const headers = { 'x-forwarded-for': '203.0.113.1', forwarded: 'for=203.0.113.1' };
    expect(from('198.51.100.9', headers)).toBe('198.51.100.9');
    expect(clientAddressOf(asked('10.0.0.1', headers), trustedProxies([]))).toBe('10.0.0.1');
    expect(from('10.0.0.1')).toBe('10.0.0.1');
  });

  test.each([
    ['203.0.113.1', '203.0.113.1'],
    ['1.1.1.1, 203.0.113.1', '203.0.113.1'],
    ['1.1.1.1, 203.0.113.1, 192.0.2.7, 10.9.9.9', '203.0.113.1'],
    ['203.0.113.1:51234', '203.0.113.1'],
    ['[2001:DB8::1]:443', '2001:db8::1'],
    ['2001:db8::1, fd00::5', '2001:db8::1'],
    ['::ffff:203.0.113.1', '203.0.113.1'],
    ['10.1.1.1, 10.2.2.2', '10.1.1.1'],
    ['203.0.113.1, unknown, 10.2.2.2', '10.2.2.2'],
    ['203.0.113.1, <script>', '10.0.0.1'],
    ['', '10.0.0.1'],
    [', ,', '10.0.0.1'],
  ])('behind a trusted proxy with X-Forwarded-For "%s" is %s', (header, expected) => {
    expect(from('10.0.0.1', { 'x-forwarded-for': header })).toBe(expected);
  });

  test.each([
    ['for=203.0.113.1', '203.0.113.1'],
    ['For="203.0.113.1:80";proto=https;by=10.0.0.1', '203.0.113.1'],
    ['for=1.1.1.1, for="[2001:db8::1]:4711", for=10.3.3.3', '2001:db8::1'],
    ['for=203.0.113.1;host="a,b;for=1.1.1.1"', '203.0.113.1'],
    ['for=203.0.113.1, for=_hidden', '10.0.0.1'],
    ['for=203.0.113.1, proto=https', '10.0.0.1'],
    ['for=unknown', '10.0.0.1'],
  ])('RFC 7239 §4: behind a trusted proxy with Forwarded "%s" is %s', (header, expected) => {
    expect(from('10.0.0.1', { forwarded: header })).toBe(expected);
  });

  test('is that of the proxy when X-Forwarded-For and Forwarded disagree: one of them came from outside', () => {
    const both = (listed: string, forwarded: string) => from('10.0.0.1', { 'x-forwarded-for': listed, forwarded });
    expect(both('203.0.113.1', 'for=203.0.113.1')).toBe('203.0.113.1');
    expect(both('203.0.113.1', 'for=203.0.113.2')).toBe('10.0.0.1');
  });

  test('of a connection over IPv6 from an IPv4 address is the IPv4 address', () => {
    expect(from('::ffff:198.51.100.9')).toBe('198.51.100.9');
    expect(from('::ffff:10.0.0.1', { 'x-forwarded-for': '203.0.113.1' })).toBe('203.0.113.1');
    expect(from('fe80::1%eth0')).toBe('fe80::1');
  });

  test('cannot be chosen by what a client writes before the proxy adds its own', () => {
    fc.assert(
      fc.property(fc.string(), fc.ipV4(), (written, real) => {
        fc.pre(!trusted(real));
        expect(from('10.0.0.1', { 'x-forwarded-for': `${written}, ${real}` })).toBe(real);
        expect(from('10.0.0.1', { forwarded: `${written.replaceAll('"', '')}, for=${real}` })).toBe(real);
      }),
    );
  });
});
