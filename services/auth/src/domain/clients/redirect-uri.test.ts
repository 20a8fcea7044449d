import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isLoopbackRedirect, matchesRedirect, redirectHost, withParameters } from './redirect-uri.ts';

/** Every spelling that must not pass for a loopback address. */
const refusedRedirects = [
  'https://app.example/callback',
  'https://127.0.0.1/callback',
  'https://localhost:3000/cb',
  'http://app.example/callback',
  'http://127.1/cb',
  'http://0x7f.1/cb',
  'http://0x7f000001/cb',
  'http://2130706433/cb',
  'http://0177.0.0.1/cb',
  'http://127.0.0.2/cb',
  'http://0.0.0.0/cb',
  'http://[::]/cb',
  'http://[0:0:0:0:0:0:0:1]/cb',
  'http://[::ffff:127.0.0.1]/cb',
  'http://localhost./cb',
  'http://LOCALHOST/cb',
  'http://127.0.0.1./cb',
  'http://127.0.0.1.evil.test/cb',
  'http://localhost.evil.test/cb',
  'http://127.0.0.1@evil.test/cb',
  'http://user@127.0.0.1/cb',
  'http://user:secret@127.0.0.1/cb',
  'http://127.0.0.1:80@evil.test/cb',
  'http://127.0.0.1#@evil.test/cb',
  'http://127.0.0.1/cb#',
  'http://127.0.0.1/cb#part',
  'http://127.0.0.1/*',
  'http://127.0.0.1:*/cb',
  'http://*/cb',
  'http://127.0.0.1:/cb',
  'http://127.0.0.1:0/cb',
  'http://127.0.0.1:99999/cb',
  'http://127.0.0.1:08080/cb',
  'http://127.0.0.1:80 /cb',
  'http://127.0.0.1\\@evil.test/cb',
  'http://127.0.0.1/c b',
  'http://127.0.0.1/cb\n',
  'http://127.0.0.1/%zz',
  'http://127.0.0.1/caf\u00e9',
  ' http://127.0.0.1/cb',
  'HTTP://127.0.0.1/cb',
  'http:/127.0.0.1/cb',
  'http:127.0.0.1/cb',
  '//127.0.0.1/cb',
  '127.0.0.1/cb',
  '/cb',
  '',
  'com.example.app:/callback',
  'myapp://callback',
  'urn:ietf:wg:oauth:2.0:oob',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
];

describe('redirect URIs', () => {
  test.each([
    'http://127.0.0.1/callback',
    'http://127.0.0.1:49152/callback',
    'http://127.0.0.1:1/cb',
    'http://127.0.0.1',
    'http://127.0.0.1:8080',
    'http://127.0.0.1:65535/a/b?c=d&e=%20f',
    'http://[::1]/cb',
    'http://[::1]:3000/cb',
    'http://localhost/cb',
    'http://localhost:3000/cb',
    'http://127.0.0.1/mail@home',
  ])('RFC 8252 §7.3: %s is a loopback address', (uri) => expect(isLoopbackRedirect(uri)).toBe(true));

  test.each(refusedRedirects)('RFC 8252 §7.3: %j is not a loopback address', (uri) =>
    expect(isLoopbackRedirect(uri)).toBe(false),
  );

  test('a URI of more than 2048 characters is refused, and judging a long one takes no time', () => {
    expect(isLoopbackRedirect(`http://127.0.0.1/${'a'.repeat(2031)}`)).toBe(true);
    expect(isLoopbackRedirect(`http://127.0.0.1/${'a'.repeat(2032)}`)).toBe(false);
    const started = performance.now();
    expect(isLoopbackRedirect(`http://127.0.0.1/?${'a/?'.repeat(600)}#`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test('whatever passes is read by a URL parser as the same loopback host, without userinfo or fragment', () => {
    const parts = fc.array(
      fc.constantFrom(...'127.0.0.1 [::1] localhost @ : / # ? . * 0x7f 8080 evil.test % \\'.split(' ')),
    );
    fc.assert(
      fc.property(parts, (pieces) => {
        const uri = `http://${pieces.join('')}`;
        if (!isLoopbackRedirect(uri)) return;
        const url = new URL(uri);
        expect(['127.0.0.1', '[::1]', 'localhost']).toContain(url.hostname);
        expect([url.username, url.password, url.hash]).toEqual(['', '', '']);
      }),
      { numRuns: 2_000 },
    );
  });

  test('RFC 8252 §7.3: any port of a registered loopback address matches', () => {
    expect(matchesRedirect(['http://127.0.0.1:1234/cb'], 'http://127.0.0.1:5678/cb')).toBe(true);
    expect(matchesRedirect(['http://127.0.0.1/cb'], 'http://127.0.0.1:5678/cb')).toBe(true);
    expect(matchesRedirect(['http://[::1]:1/cb'], 'http://[::1]/cb')).toBe(true);
    expect(matchesRedirect(['http://localhost/cb'], 'http://localhost:9/cb')).toBe(true);
  });

  test.each([
    ['another loopback name', 'http://localhost:1/cb'],
    ['another loopback address', 'http://[::1]:1/cb'],
    ['another path', 'http://127.0.0.1:1/other'],
    ['another case', 'http://127.0.0.1:1/CB'],
    ['a trailing slash', 'http://127.0.0.1:1/cb/'],
    ['a query', 'http://127.0.0.1:1/cb?x=1'],
    ['https', 'https://127.0.0.1:1/cb'],
    ['a longer host', 'http://127.0.0.1.evil.test/cb'],
    ['userinfo', 'http://127.0.0.1:1@evil.test/cb'],
  ])('RFC 9700 §4.1.3: %s does not match', (_, asked) =>
    expect(matchesRedirect(['http://127.0.0.1:1/cb'], asked)).toBe(false),
  );

  test('RFC 6749 §3.1.2.3: an address that is not loopback matches only as the same text', () => {
    expect(matchesRedirect(['https://app.example/cb'], 'https://app.example/cb')).toBe(true);
    expect(matchesRedirect(['https://app.example/cb'], 'https://app.example:443/cb')).toBe(false);
  });

  test('RFC 6749 §3.1.2: an existing query is kept when parameters are added', () => {
    expect(withParameters('http://127.0.0.1/cb', { code: 'a b' })).toBe('http://127.0.0.1/cb?code=a+b');
    expect(withParameters('http://127.0.0.1/cb?x=%2F', { code: 'a' })).toBe('http://127.0.0.1/cb?x=%2F&code=a');
    expect(withParameters('http://127.0.0.1/cb?', { code: 'a', state: undefined })).toBe('http://127.0.0.1/cb?code=a');
  });

  test('a person sees host and port', () => expect(redirectHost('http://127.0.0.1:8080/cb?x')).toBe('127.0.0.1:8080'));
});
