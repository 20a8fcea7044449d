import { describe, expect, test } from '@jest/globals';
import { schoolFrom } from '../../routing/school.ts';
import { courseMarkdown } from '../../mcp/tools/reading/course-summary.ts';
import { richTextMarkdown } from './rich-text-markdown.ts';

const school = schoolFrom({ id: 'school_1', name: 'Lantern', host: 'lantern.test', base_url: 'https://lantern.test' })!;
const paragraph = (text: string) => [{ type: 'paragraph', text: [{ text }] }];

describe('rich text for agents', () => {
  test('S3: of a paragraph of many spans no more is looked at than is shown', () => {
    let looked = 0;
    const spans = Array.from({ length: 10_000 }, () => ({
      get text() {
        looked += 1;
        return 'twenty characters…  ';
      },
    }));
    const text = richTextMarkdown([{ type: 'paragraph', text: spans }]);
    expect(text.length).toBeGreaterThan(7_000);
    expect(text).toContain('cut here');
    expect(looked).toBeLessThan(1_000);
  });

  test('is Markdown of its blocks', () => {
    const blocks = [
      { type: 'heading', level: 2, text: [{ text: 'Tools' }] },
      {
        type: 'paragraph',
        text: [
          { text: 'A ' },
          { text: 'sharp ', marks: ['bold', 'italic'] },
          { text: 'knife', link: 'https://k.test/a' },
        ],
      },
      { type: 'list', ordered: true, items: [[{ text: 'cut' }], [{ text: 'fold' }]] },
      {
        type: 'list',
        ordered: false,
        items: [[{ text: 'ink', marks: ['strike'] }], [{ text: 'a_b', marks: ['code'] }]],
      },
      { type: 'quote', text: [{ text: '<script>' }] },
      { type: 'code', language: 'ts', code: 'const a = `1`;' },
      { type: 'later-kind', text: [{ text: 'unknown' }] },
    ];
    expect(richTextMarkdown(blocks)).toBe(
      [
        '## Tools',
        'A ***sharp*** [knife](<https://k.test/a>)',
        '1. cut\n2. fold',
        '- ~~ink~~\n- `a_b`',
        '> \\<script\\>',
        '```ts\nconst a = `1`;\n```',
      ].join('\n\n'),
    );
  });

  test('opens no markup that its words do not mean, and no fence or link ends early', () => {
    expect(richTextMarkdown(paragraph('# [x](y) *z*'))).toBe('\\# \\[x\\](y) \\*z\\*');
    expect(richTextMarkdown([{ type: 'code', code: 'a\n```\n# b' }])).toBe('````\na\n```\n# b\n````');
    const link = [{ type: 'paragraph', text: [{ text: 'x', link: 'https://k.test/>)[y](z' }] }];
    expect(richTextMarkdown(link)).toBe('[x](<https://k.test/%3E)[y](z>)');
  });

  test('is cut after some thousand characters, and says so', () => {
    const long = Array.from({ length: 500 }, (_, at) => paragraph(`${at} `.repeat(20))[0]);
    const cut = richTextMarkdown(long);
    expect(cut.length).toBeLessThan(8_100);
    expect(cut).toMatch(/get_course with include: \["description_blocks"\] gives the whole text\)$/);
    expect(richTextMarkdown(paragraph('word '.repeat(10_000))).length).toBeLessThan(8_100);
  });

  test.each([null, 7, {}, [null, 7, []], [{ type: 'list', items: [7, [null]] }], [{ type: 'code' }]])(
    'of what is no rich text (%j) is no failure',
    (value) => expect(typeof richTextMarkdown(value)).toBe('string'),
  );

  test.each(['<', '`', ' ', '\n', '*', '\\', '['])(
    'a description of 64 KiB of %j costs no more than others',
    (character) => {
      const description = paragraph(character.repeat(65_400));
      const began = performance.now();
      for (let time = 0; time < 5; time += 1) {
        courseMarkdown({ title: 'T', slug: 't', description }, school);
        courseMarkdown({ title: 'T', slug: 't', description: description[0]!.text[0]!.text }, school);
      }
      expect(performance.now() - began).toBeLessThan(1_000);
    },
  );
});
