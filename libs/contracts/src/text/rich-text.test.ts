import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { maxRichTextBytes, paragraphs, richText, richTextInput } from './rich-text.ts';

const link = (href: string) => [{ type: 'paragraph', text: [{ text: 'here', link: href }] }];

describe('rich text', () => {
  test('keeps every kind of block as it came', () => {
    const blocks = [
      { type: 'heading', level: 2, text: [{ text: 'Tools' }] },
      { type: 'paragraph', text: [{ text: 'A ' }, { text: 'sharp', marks: ['bold', 'italic'] }, { text: ' knife' }] },
      { type: 'list', ordered: true, items: [[{ text: 'cut' }], [{ text: 'fold' }]] },
      { type: 'quote', text: [{ text: '<script>alert(1)</script> is only text here' }] },
      { type: 'code', language: 'ts', code: 'const a = 1;\n' },
      ...link('https://example.test/a?b=c#d'),
      ...link('mailto:hello@example.test'),
    ];
    expect(richText.parse(blocks)).toEqual(blocks);
  });

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://example.test/x',
    '//example.test',
    '/relative',
    '',
  ])('refuses the link %j', (href) => expect(richText.safeParse(link(href)).success).toBe(false));

  test('keeps a link as the URL standard reads it', () => {
    expect(richText.parse(link(' HTTPS://Example.TEST\\a\tb '))).toEqual(link('https://example.test/ab'));
  });

  test.each([
    ['an unknown block', [{ type: 'html', html: '<b>x</b>' }]],
    ['an unknown attribute', [{ type: 'paragraph', text: [{ text: 'x' }], onclick: 'x()' }]],
    ['an attribute on text', [{ type: 'paragraph', text: [{ text: 'x', style: 'x' }] }]],
    ['an unknown mark', [{ type: 'paragraph', text: [{ text: 'x', marks: ['blink'] }] }]],
    ['a title heading', [{ type: 'heading', level: 1, text: [{ text: 'x' }] }]],
    ['half a character', [{ type: 'paragraph', text: [{ text: '\ud800' }] }]],
    ['markup instead of blocks', { html: '<p>' }],
  ])('refuses %s', (_, value) => expect(richText.safeParse(value).success).toBe(false));

  test('refuses more than 64 KiB, counted in bytes', () => {
    const block = (text: string) => [{ type: 'paragraph', text: [{ text }] }];
    const frame = JSON.stringify(block('')).length;
    expect(richText.safeParse(block('a'.repeat(maxRichTextBytes - frame))).success).toBe(true);
    expect(richText.safeParse(block('a'.repeat(maxRichTextBytes - frame + 1))).success).toBe(false);
    expect(richText.safeParse(block('é'.repeat((maxRichTextBytes - frame) / 2 + 1))).success).toBe(false);
  });

  test('sent as plain text becomes paragraphs', () => {
    expect(richTextInput.parse('One\nstill one\r\n\r\n  Two  \n\n\n')).toEqual([
      { type: 'paragraph', text: [{ text: 'One\nstill one' }] },
      { type: 'paragraph', text: [{ text: 'Two' }] },
    ]);
    expect(richTextInput.parse('  ')).toEqual([]);
  });

  test('from any plain text is valid and keeps its words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const blocks = paragraphs(text);
        fc.pre(!text.includes('\0'));
        expect(richText.safeParse(blocks).success).toBe(true);
        const words = (value: string) => value.split(/\s+/).filter((word) => word !== '');
        expect(blocks.flatMap((b) => (b.type === 'paragraph' ? words(b.text[0]!.text) : []))).toEqual(words(text));
      }),
    );
  });
});
