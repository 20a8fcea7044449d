import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { slug } from '@lyceum/contracts';
import { slugCandidates } from './slugs.ts';

const id = 'course_0195a3c2-7d10-7abc-8def-0123456789ab';

describe('a slug from a title', () => {
  test.each([
    ['Paper Lanterns from Scratch', 'paper-lanterns-from-scratch'],
    ['  Été à Paris: l’aquarelle! ', 'ete-a-paris-laquarelle'],
    ['Straße & Øre — Ærlig Łódź', 'strasse-ore-aerlig-lodz'],
    ['İstanbul', 'istanbul'],
    ['ﬁne ﬂow ①', 'fine-flow-1'],
    ['Go', 'course-go'],
    ['C++ 🎉 in 30 days', 'c-in-30-days'],
  ])('%s becomes %s', (title, expected) => expect(slugCandidates(title, id, 'course')[0]).toBe(expected));

  test('without Latin letters it is named after the id', () => {
    expect(slugCandidates('紙の提灯', id, 'course')).toEqual(['course-6789ab', 'course-0123456789ab']);
    expect(slugCandidates('🏮', id, 'course')[0]).toBe('course-6789ab');
  });

  test('that is taken gets a piece of the id', () => {
    expect(slugCandidates('Lanterns', id, 'course')).toEqual(['lanterns', 'lanterns-6789ab', 'lanterns-0123456789ab']);
  });

  test('is always a valid slug, whatever the title', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 220 }), (title) => {
        const candidates = slugCandidates(title, id, 'course');
        expect(candidates.length).toBeGreaterThan(1);
        for (const candidate of candidates) {
          expect(slug.safeParse(candidate).success).toBe(true);
          expect(candidate).toMatch(/^[a-z0-9]/);
          expect(candidate).toMatch(/[a-z0-9]$/);
        }
      }),
    );
  });

  test('is the same however the accents are written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (title) => {
        expect(slugCandidates(title.normalize('NFC'), id, 'course')).toEqual(
          slugCandidates(title.normalize('NFD'), id, 'course'),
        );
      }),
    );
  });
});
