import { describe, expect, test } from '@jest/globals';
import { deepestElement, isSafeHref, isSafeHtml } from './safe-html.ts';

describe('HTML of a school', () => {
  test.each([
    '',
    'only text, 1 > 0',
    '<p>One<br>two</p><hr>',
    '<a href="https://example.test/?a=1&amp;b=2">here</a>',
    '<a href="/courses/x">here</a><a href="#top">up</a>',
    '<table><tr><th scope="row">a</th><td>&lt;script&gt;</td></tr></table>',
  ])('is %j', (html) => expect(isSafeHtml(html)).toBe(true));

  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<p onclick="x()">x</p>',
    '<p class="x">x</p>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="&#106;avascript:alert(1)">x</a>',
    '<a href="//example.test">x</a>',
    "<a href='/x'>x</a>",
    '<a href=/x>x</a>',
    '<P>x</P>',
    '<p>x',
    '</p>',
    '<p><b>x</p></b>',
    '<br></br>',
    '<svg></svg>',
    '<!-- x -->',
    '<constructor>x</constructor>',
    '1 < 2',
    '<',
    '<p',
    '<p >x</p>',
    '</p class="x">',
    '<b>'.repeat(deepestElement + 1) + '</b>'.repeat(deepestElement + 1),
  ])('is not %j', (html) => expect(isSafeHtml(html)).toBe(false));

  test.each([
    ['https://example.test/', true],
    ['HTTPS://example.test/', true],
    ['mailto:a@example.test', true],
    ['/p/terms', true],
    ['#faq', true],
    ['//example.test', false],
    ['/\\example.test', false],
    ['\\\\example.test', false],
    [' javascript:x', false],
    ['java\nscript:x', false],
    ['javascript:x', false],
    ['data:text/html,x', false],
    ['vbscript:x', false],
    ['relative', false],
    ['', false],
  ])('leads to %j: %s', (href, expected) => expect(isSafeHref(href)).toBe(expected));
});
