import { expect, test } from '@jest/globals';
import { domainSettings } from './domain.settings.ts';

test.each([
  ['', []],
  ['192.0.2.1', ['192.0.2.1']],
  [' 192.0.2.1:5353, 2001:db8::1 ,[2001:db8::1]:53', ['192.0.2.1:5353', '2001:db8::1', '[2001:db8::1]:53']],
  ['ns.example', undefined],
  ['192.0.2.1:', undefined],
  ['192.0.2.1:0', undefined],
  ['192.0.2.1:65536', undefined],
  ['[192.0.2.1]:53', undefined],
  ['192.0.2.1 192.0.2.2', undefined],
])('name servers by "%s" are %j', (DNS_SERVERS, expected) => {
  expect(domainSettings.safeParse({ DNS_SERVERS }).data?.DNS_SERVERS).toEqual(expected);
});
