import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cssFault, mostCss } from './custom-css.ts';

describe('a school’s own style sheet', () => {
  test.each([
    '',
    'h1 { color: #123456; margin: 0 auto }',
    ':root { --gap: 1rem } .card { padding: calc(var(--gap) * 2); background: linear-gradient(red, blue) }',
    '@media (min-width: 40rem) { main { display: grid } }',
    '@supports (display: grid) { .a { display: grid } }',
    '.a::before { content: "url(https://x.test)" }',
    '@keyframes fade { from { opacity: 0 } to { opacity: 1 } }',
  ])('may be: %s', (css) => expect(cssFault(css)).toBeUndefined());

  test.each([
    ['@import "https://evil.test/a.css";', '@import'],
    ['@\\69mport url(a.css);', '@import'],
    ['a { background: url(https://evil.test/x.png) }', 'url()'],
    ['a { background: URL("//evil.test/x") }', 'url()'],
    ['a { background: u\\72l("https://evil.test") }', 'url()'],
    ['a { background: url(data:image/svg+xml,x) }', 'url()'],
    ['a { --x: url(https://evil.test) }', 'url()'],
    ['a { background: image-set("https://evil.test/x.png" 1x) }', 'image-set()'],
    ['a { background: -webkit-image-set("https://evil.test/x.png" 1x) }', '-webkit-image-set()'],
    ['a { width: expression(alert(1)) }', 'script'],
    ['a { behavior: none }', 'behavior'],
    ['a { -moz-binding: none }', '-moz-binding'],
    ['@font-face { font-family: x; src: local("x") }', '@font-face'],
    ['</style><script>alert(1)</script>', 'markup'],
    ['a::after { content: "</style>" }', 'markup'],
    ['<!-- a { color: red } -->', 'markup'],
    ['a { color: red', undefined],
    ['a { color }', 'not CSS'],
    ['} a { color: red }', 'not CSS'],
    ['a { color: red; ; { } }', 'not CSS'],
  ])('must not be: %s', (css, why) => {
    if (why === undefined) return expect(cssFault(css)).toBeUndefined();
    expect(cssFault(css)).toContain(why);
  });

  test('is at most 64 KiB of UTF-8', () => {
    const comment = (bytes: number) => `/*${'é'.repeat(bytes / 2)}*/`;
    expect(cssFault(comment(mostCss - 4))).toBeUndefined();
    expect(cssFault(comment(mostCss))).toContain('64 KiB');
  });

  test('that is anything at all is judged without an error, and never with an address in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const fault = cssFault(text);
        expect(fault === undefined || fault.length > 0).toBe(true);
        // A comment, a string or an escape may swallow what follows.
        if (/["'\\]|\/\*/.test(text)) return;
        expect(cssFault(`${text} a{background:url(https://evil.test)}`)).toBeDefined();
      }),
      { numRuns: 500 },
    );
  });
});
