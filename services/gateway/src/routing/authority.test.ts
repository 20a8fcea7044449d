import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { keyOf, parseAuthority } from './authority.ts';

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?$/);
const hostName = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
const port = fc.integer({ min: 0, max: 65_535 });
const shout = (text: string, bits: readonly boolean[]): string =>
  [...text].map((character, index) => (bits[index % bits.length] ? character.toUpperCase() : character)).join('');

describe('authority', () => {
  test('RFC 9110 §4.2.3: case, a trailing dot and leading zeros of the port do not make another host', () => {
    const bits = fc.array(fc.boolean(), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(hostName, port, bits, fc.boolean(), (host, number, pattern, dot) => {
        const spelled = `${shout(host, pattern)}${dot ? '.' : ''}:00${number}`;
        expect(parseAuthority(spelled)).toEqual({ host, port: String(number) });
      }),
    );
  });

  test('normalising twice changes nothing', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          hostName,
          fc.domain(),
          fc.ipV4(),
          fc.ipV6().map((ip) => `[${ip}]`),
        ),
        (text) => {
          const once = parseAuthority(text);
          if (once) expect(parseAuthority(keyOf(once))).toEqual(once);
        },
      ),
    );
  });

  test('two authorities that differ in host or port never share a key', () => {
    fc.assert(
      fc.property(hostName, port, hostName, port, (a, p, b, q) => {
        const same = a === b && p === q;
        expect(keyOf(parseAuthority(`${a}:${p}`)!) === keyOf(parseAuthority(`${b}:${q}`)!)).toBe(same);
      }),
    );
  });

  test('RFC 3986 §3.2.3: an empty port is the default port', () => {
    expect(parseAuthority('school.example:')).toEqual({ host: 'school.example', port: '' });
  });

  test('RFC 5952 §4: an IPv6 address has one key in all its spellings', () => {
    for (const spelled of ['[::1]:80', '[0:0:0:0:0:0:0:1]:80', '[0000::0001]:80'])
      expect(parseAuthority(spelled)).toEqual({ host: '[::1]', port: '80' });
  });

  test.each([
    '',
    ':80',
    'a..b',
    '.a',
    'a b',
    'a,b',
    'user@host',
    'host/path',
    'host:80:80',
    'host:65536',
    'host:8o',
    'host:-1',
    '::1',
    '[::1',
    '[zz]',
    '[::1].',
    'h\u00f6st',
    `${'a'.repeat(300)}`,
  ])('RFC 9112 §3.2: %j is not a host', (text) => {
    expect(parseAuthority(text)).toBeUndefined();
  });
});
