import { describe, expect, test } from '@jest/globals';
import { isSafeHtml } from '@lyceum/contracts';
import fc from 'fast-check';
import { sanitizeHtml } from './safe-html.ts';

describe('HTML of a client', () => {
  test.each([
    ['<p>One &amp; two</p>', '<p>One &amp; two</p>'],
    ['<P CLASS=x onclick="x()">One</P>', '<p>One</p>'],
    ['one<script>alert(1)</script>two', 'onetwo'],
    ['<style>*{display:none}</style>x', 'x'],
    ['<img src=x onerror=alert(1)>', ''],
    ['<svg onload=alert(1)><p>x</p></svg>y', 'y'],
    ['<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>', ''],
    ['<section><p>kept</p></section>', '<p>kept</p>'],
    ['<p>never closed <b>bold', '<p>never closed <b>bold</b></p>'],
    ['</p>text</b>', '<p></p>text'],
    ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href=" JaVa&#10;ScRiPt:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="&#x6a;avascript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="data:text/html,x">x</a>', '<a>x</a>'],
    ['<a href="//example.test">x</a>', '<a>x</a>'],
    [
      '<a href="https://example.test/?a=1&b=&quot;" target=_blank>x</a>',
      '<a href="https://example.test/?a=1&amp;b=&quot;">x</a>',
    ],
    ['<!-- <p> --><?php x ?><![CDATA[x]]>', ''],
    ['1 < 2 && 3 > 2', '1 &lt; 2 &amp;&amp; 3 &gt; 2'],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>">', ''],
    ['<textarea></textarea><script>x</script>', ''],
    ['a\0b\ud800', 'ab\ufffd'],
    ['<iframe srcdoc="<script>x</script>"></iframe>z', 'z'],
    ['<p><svg><p>a</svg>b', '<p>b</p>'],
    ['a<br>b<br/>c</br>', 'a<br>b<br>c<br>'],
    ['<abbr title="a&quot; onmouseover=&quot;x()">x</abbr>', '<abbr title="a&quot; onmouseover=&quot;x()">x</abbr>'],
  ])('%j becomes %j', (html, expected) => expect(sanitizeHtml(html)).toBe(expected));

  const piece = fc.oneof(
    fc.constantFrom(
      '<',
      '>',
      '/',
      '"',
      "'",
      '=',
      '&',
      ' ',
      '\n',
      '\0',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<?',
      '&#106;',
    ),
    fc.constantFrom(
      '<p>',
      '</p>',
      '<b>',
      '</b>',
      '<a href="',
      '<a href=javascript:x>',
      '</a>',
      '<br/>',
      '<svg>',
      '</svg>',
      '<svg/>',
    ),
    fc.constantFrom(
      '<script>',
      '</script>',
      '<style>',
      '<img src=x onerror=x>',
      '<td>',
      '<table>',
      '<math>',
      '<textarea>',
      '<title>',
    ),
    fc.string({ unit: 'binary', maxLength: 5 }),
  );

  test('whatever it is, is of the one form that pages take, and stays as it is then', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const html = sanitizeHtml(pieces.join(''));
        expect(isSafeHtml(html)).toBe(true);
        expect(sanitizeHtml(html)).toBe(html);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each(['<b>', '<b 1><p>', '<table><td>', '</b>', '<a href="', '<!--', '&amp', '<svg>', '<'])(
    'of 64 KiB of %j takes no time to speak of',
    (unit) => {
      const began = performance.now();
      const html = sanitizeHtml(unit.repeat(65_536 / unit.length));
      expect(performance.now() - began).toBeLessThan(2_000);
      expect(isSafeHtml(html)).toBe(true);
    },
  );
});
