import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type SpamSign, type Written, doubtful, spam, spamScore } from './spam.ts';

const friendly = 'Hello, I would like to fold lanterns with my class. When does the next course begin?';

describe('a text of visitors', () => {
  test.each<[string, Written, SpamSign[], 'fine' | 'doubtful' | 'spam']>([
    ['of a person', { texts: [friendly], took: 60_000 }, [], 'fine'],
    ['with one link', { texts: [`${friendly} https://example.org`] }, [], 'fine'],
    ['with three links', { texts: ['https://a.test http://b.test www.c.test'] }, ['links'], 'doubtful'],
    ['of many links', { texts: ['https://a.test '.repeat(9)] }, ['links'], 'spam'],
    [
      'of links as forums write them',
      { texts: ['[url=x]a[/url] [url=y]b[/url] <a href=z> <A HREF=q>'] },
      ['links'],
      'spam',
    ],
    ['that fills in what people do not see', { texts: [friendly], isTrapped: true }, ['trap'], 'spam'],
    ['sent at once', { texts: [friendly], took: 300 }, ['haste'], 'doubtful'],
    ['of which nobody knows how long it took', { texts: [friendly] }, [], 'fine'],
    ['from a clock that is ahead', { texts: [friendly], took: -5_000 }, ['haste'], 'doubtful'],
    ['that was sent before', { texts: [friendly], isRepeated: true }, ['repeated'], 'spam'],
    ['of one word', { texts: ['buy '.repeat(40)] }, ['monotonous'], 'doubtful'],
    ['that stands in each field', { texts: ['Best pills here', 'best pills here '] }, ['monotonous'], 'doubtful'],
    ['with characters that show nothing', { texts: ['p\u200bi\u200bl\u200bl\u202es'] }, ['hidden_text'], 'doubtful'],
    ['with joined emoji', { texts: ['👩‍👩‍👧‍👦 👨‍👩‍👧 👩‍🏫 family'] }, [], 'fine'],
    ['without words', { texts: [''] }, [], 'fine'],
    ['of no field', { texts: [] }, [], 'fine'],
  ])('%s is judged', (_what, written, signs, verdict) => {
    const judged = spamScore(written);
    expect(judged.signs).toEqual(signs);
    expect(judged.score >= spam ? 'spam' : judged.score >= doubtful ? 'doubtful' : 'fine').toBe(verdict);
  });

  test('whatever it is, has a score from 0 to 100, and the same one again (2,000)', () => {
    const written = fc.record({
      texts: fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { maxLength: 5 }),
      isTrapped: fc.boolean(),
      took: fc.option(fc.integer(), { nil: undefined }),
      isRepeated: fc.boolean(),
    });
    fc.assert(
      fc.property(written, (each) => {
        const judged = spamScore(each);
        expect(judged).toEqual(spamScore(each));
        expect(judged.score).toBeGreaterThanOrEqual(0);
        expect(judged.score).toBeLessThanOrEqual(100);
        expect(judged.score > 0).toBe(judged.signs.length > 0);
      }),
      { numRuns: 2_000 },
    );
  });

  test('of the largest size is judged in a moment', () => {
    const [before, texts] = [performance.now(), Array.from({ length: 30 }, () => 'https://a.test [url '.repeat(250))];
    for (let times = 0; times < 20; times += 1) spamScore({ texts });
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});
