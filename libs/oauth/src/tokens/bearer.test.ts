import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvalidToken, TokenInQuery, bearerToken } from '../index.ts';

const request = (...authorization: string[]) => ({
  headers: authorization.length > 0 ? { authorization: authorization[0] } : {},
  rawHeaders: ['Host', 'school.test', ...authorization.flatMap((value) => ['Authorization', value])],
  url: '/api/courses',
});

describe('reading the bearer token', () => {
  test('RFC 6750 §2.1: the token is what follows the scheme, in any case of letters', () => {
    expect(bearerToken(request('Bearer a.b-c_d~e+f/g=='))).toBe('a.b-c_d~e+f/g==');
    expect(bearerToken(request('bearer abc'))).toBe('abc');
    expect(bearerToken(request('BEARER   abc'))).toBe('abc');
  });

  test('a request without the header is anonymous', () => {
    expect(bearerToken(request())).toBeUndefined();
  });

  test.each(['Basic YTpi', 'Bearerabc', 'DPoP abc', 'Token abc', 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln'])(
    'RFC 6750 §3.1: the value %p, which is no Bearer token, is refused with the form that is expected',
    (value) => {
      expect(() => bearerToken(request(value))).toThrow(/Bearer, a space, and the access token/);
    },
  );

  test.each([
    'Bearer',
    'Bearer ',
    'Bearer a b',
    'Bearer "abc"',
    'Bearer a,b',
    'Bearer é',
    'Bearer =',
    'Bearer, abc',
    '',
  ])('RFC 6750 §3.1: the value %p is refused, not treated as anonymous', (value) => {
    expect(() => bearerToken(request(value))).toThrow(InvalidToken);
  });

  test('RFC 9110 §5.3: two Authorization headers are refused', () => {
    expect(() => bearerToken(request('Bearer abc', 'Bearer def'))).toThrow(InvalidToken);
    expect(() => bearerToken(request('Basic abc', 'Bearer def'))).toThrow(InvalidToken);
  });

  test('RFC 9700 §4.3.2: a token in the query string is an error, even beside the header', () => {
    for (const url of ['/x?access_token=abc', '/x?a=1&access_token=', '/x?%61ccess_token=abc'])
      expect(() => bearerToken({ ...request('Bearer abc'), url })).toThrow(TokenInQuery);
    expect(bearerToken({ ...request('Bearer abc'), url: '/x?q=access_token' })).toBe('abc');
  });

  test('random header values give a token of the right alphabet, nothing, or InvalidToken', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `Bearer ${text}`),
        ),
        (value) => {
          try {
            const token = bearerToken(request(value));
            if (token !== undefined) expect(token).toMatch(/^[A-Za-z0-9\-._~+/]+=*$/);
          } catch (error) {
            expect(error).toBeInstanceOf(InvalidToken);
          }
        },
      ),
    );
  });
});
