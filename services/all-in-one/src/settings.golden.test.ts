import { describe, expect, test } from '@jest/globals';
import { type DescribedSetting, describedSettings } from '@lyceum/host';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { services } from './services.ts';

const page = join(import.meta.dirname, '../../../docs/settings.md');
const [begin, end] = ['<!-- settings: written by npm run golden -->\n', '\n<!-- end of settings -->'] as const;

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

const row = ({ variable, about, standard, expected, isSecret }: DescribedSetting): string =>
  `| \`${variable}\` | ${standard === undefined ? '' : `\`${standard}\``} | ${cell(about)} | ${cell(expected ?? 'any text')}${isSecret ? '; secret' : ''} |`;

const groups = describedSettings(services);
const written = groups
  .map(({ of, settings }) =>
    [
      `### Settings of ${of}`,
      '',
      '| Variable | Unset | Meaning | Value |',
      '| --- | --- | --- | --- |',
      ...settings.map(row),
    ].join('\n'),
  )
  .join('\n\n');

/** The page without the blanks by which its tables are aligned. */
const plain = (text: string): string => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---');

const inPage = (text: string): string => text.slice(text.indexOf(begin) + begin.length, text.indexOf(end)).trim();

if (process.env['GOLDEN'] === 'add') {
  const text = readFileSync(page, 'utf8');
  writeFileSync(page, `${text.slice(0, text.indexOf(begin))}${begin}\n${written}\n${text.slice(text.indexOf(end))}`);
}

describe('newcomer 28: docs/settings.md', () => {
  test('says of every setting what the code says: npm run golden writes it, npm run format aligns it', () => {
    expect(groups.flatMap(({ settings }) => settings).length).toBeGreaterThan(40);
    expect(plain(inPage(readFileSync(page, 'utf8')))).toBe(plain(written));
  });

  test('newcomer 22: every setting has a meaning, and says in plain words what would do', () => {
    const all = groups.flatMap(({ settings }) => settings);
    expect(all.filter(({ about }) => about === '').map(({ variable }) => variable)).toEqual([]);
    const words = /Invalid|received|NaN|undefined|expected|regex|pattern|ZodError/;
    expect(
      all.filter(({ expected = '' }) => words.test(expected)).map((each) => [each.variable, each.expected]),
    ).toEqual([]);
  });
});
