import { describe, expect, test } from '@jest/globals';
import { domainName } from './domain.name.ts';

const platform = ['lyceum.app'];

describe('the name of a domain', () => {
  test.each([
    ['learn.my-school.com', 'learn.my-school.com'],
    ['bücher.de', 'xn--bcher-kva.de'],
    ['Learn.MY-School.com.', 'learn.my-school.com'],
    ['schöne-töpfe.de', 'xn--schne-tpfe-gcbe.de'],
    ['SCHÖNE-TÖPFE.de', 'xn--schne-tpfe-gcbe.de'],
    ['学校。公司', 'xn--48s290a.xn--55qx5d'],
    ['notlyceum.app', 'notlyceum.app'],
    ['1.2.3.my-school.com', '1.2.3.my-school.com'],
  ])('RFC 5890 §2.3.2.1: %s is kept as %s', (text, domain) => {
    expect(domainName(text, platform)).toEqual({ domain });
  });

  test.each([
    ['127.0.0.1', 'not an IP address'],
    ['127.1', 'not an IP address'],
    ['0x7f.1', 'not an IP address'],
    ['192.168.0.1.', 'not an IP address'],
    ['school.0x7f', 'a domain name'],
    ['2130706433', 'a domain name'],
    ['[::1]', 'a domain name'],
    ['::1', 'a domain name'],
    ['school', 'two labels'],
    ['com.', 'two labels'],
    ['localhost', 'two labels'],
    ['a.localhost', 'public DNS'],
    ['school.test', 'public DNS'],
    ['school.example', 'public DNS'],
    ['www.example.com', 'public DNS'],
    ['school.onion', 'public DNS'],
    ['printer.local', 'public DNS'],
    ['db.internal', 'public DNS'],
    ['1.0.0.127.in-addr.arpa', 'public DNS'],
    ['lyceum.app', 'this platform'],
    ['Evil.Lyceum.app', 'this platform'],
    ['*.my-school.com', 'a domain name'],
    ['_lyceum-challenge.my-school.com', 'a domain name'],
    ['https://my-school.com', 'a domain name'],
    ['my-school.com:8080', 'a domain name'],
    ['my-school.com/path', 'a domain name'],
    ['user@my-school.com', 'a domain name'],
    ['my school.com', 'a domain name'],
    ['my-school%2ecom', 'a domain name'],
    ['my-school..com', 'a domain name'],
    ['.my-school.com', 'a domain name'],
    ['-my-school.com', 'a domain name'],
    ['my-school-.com', 'a domain name'],
    ['xn--a.com', 'a domain name'],
    [`${'a'.repeat(64)}.com`, 'a domain name'],
    [`${'a.'.repeat(126)}com`, 'a domain name'],
    ['', 'a domain name'],
    ['..', 'a domain name'],
    ['my-school.com\u0000', 'a domain name'],
    ['my-school.com\r\nx', 'a domain name'],
    ['\ud800.com', 'a domain name'],
  ])('%j is none: it must be, or must not be, %s', (text, fault) => {
    expect(domainName(text, platform)).toEqual({ fault: expect.stringContaining(fault) });
  });
});
