import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { english } from '../texts/en.ts';
import { clientName, isLoopbackHost } from './client-name.ts';
import { monogram } from './monogram.ts';

const shown = (name: string): string =>
  clientName(english, name)
    .toString()
    .replace(/<[^>]+>/g, '');

describe('the name of a client', () => {
  test('is one line of at most 60 characters, whatever a client registers', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const text = shown(name).replace(/&[#\w]+;/g, '.');
        expect(Array.from(text).length).toBeLessThanOrEqual(60);
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(text.trim()).not.toBe('');
      }),
    );
  });

  test('cannot reorder or hide the text around it', () => {
    expect(clientName(english, '\u202eedoC').toString()).toBe('<bdi><strong>edoC</strong></bdi>');
    expect(shown('Zo\u200bom\n\nPro')).toBe('Zo om Pro');
    expect(shown(' \u2066\u200b ')).toBe('unnamed app');
  });
});

describe('RFC 8252 §7.3: a redirect host is loopback', () => {
  test.each(['127.0.0.1', '127.0.0.1:1', 'localhost:51004', '[::1]', '[::1]:8080'])('%s is', (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  });

  test.each(['127.0.0.1.evil.test', 'localhost.evil.test:80', '127.0.0.10', 'evil.test:127', '::1', ''])(
    '"%s" is not',
    (host) => {
      expect(isLoopbackHost(host)).toBe(false);
    },
  );
});

describe('the monogram of a school', () => {
  test.each([
    ['Lantern Craft School', 'LC'],
    ['north  quay music', 'NQ'],
    ['École “Été” (Paris)', 'É'],
    ['한빛 학교', '한학'],
    ['A & B', 'AB'],
    ['', ''],
  ])('of "%s" is "%s"', (name, letters) => {
    expect(monogram(name)).toBe(letters);
  });
});
