import { describe, expect, test } from '@jest/globals';
import { lantern } from '../../testing/pages/looks.ts';
import { pageHeaders } from './page-headers.ts';
import { themeOf } from './theme.ts';

const policy = (): Map<string, string> =>
  new Map(
    (pageHeaders()['Content-Security-Policy'] ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );

describe('the headers of a page', () => {
  test('RFC 9700 §4.16: nobody may frame a page', () => {
    expect(policy().get('frame-ancestors')).toBe("'none'");
    expect(pageHeaders()['X-Frame-Options']).toBe('DENY');
  });

  test('the policy allows one style by its hash, images inside the page, and nothing else', () => {
    expect([...policy().keys()]).toEqual(['default-src', 'style-src', 'img-src', 'base-uri', 'frame-ancestors']);
    expect(policy().get('default-src')).toBe("'none'");
    expect(policy().get('style-src')).toMatch(/^'sha256-[A-Za-z0-9+/]{43}='$/);
    expect(policy().get('img-src')).toBe('data:');
    expect(policy().get('base-uri')).toBe("'none'");
  });

  test('RFC 9700 §4.2.4: no address leaves in a referrer, and nothing is stored', () => {
    expect(pageHeaders()).toMatchObject({
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      Pragma: 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      'Content-Type': 'text/html; charset=utf-8',
    });
  });

  test('the policy of a school’s pages allows the style of its look, and no other', () => {
    expect(pageHeaders(lantern)['Content-Security-Policy']).toContain(`style-src '${themeOf(lantern).styleHash}'`);
    expect(pageHeaders(lantern)['Content-Security-Policy']).not.toBe(pageHeaders()['Content-Security-Policy']);
  });

  test('each answer gets headers of its own', () => {
    pageHeaders()['X-Frame-Options'] = 'ALLOWALL';
    expect(pageHeaders()['X-Frame-Options']).toBe('DENY');
  });
});
