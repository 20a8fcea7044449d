import { expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askedBy } from './arguments.ts';
import { planOf } from './plan.ts';
import { report } from './report.ts';

const page = join(import.meta.dirname, '../../../../../docs/capacity.md');
const [begin, end] = ['<!-- report: written by npm run golden -->\n', '<!-- end of report -->'] as const;

const asked = askedBy(['--schools', '100000', '--learners', '50000000']);
const written = `\n\`\`\`\n${report(asked, planOf(asked))}\`\`\`\n\n`;

if (process.env['GOLDEN'] === 'add') {
  const text = readFileSync(page, 'utf8');
  writeFileSync(page, text.slice(0, text.indexOf(begin)) + begin + written + text.slice(text.indexOf(end)));
}

test('docs/capacity.md shows what the program prints: npm run golden writes it', () => {
  const text = readFileSync(page, 'utf8');
  expect(text.slice(text.indexOf(begin) + begin.length, text.indexOf(end))).toBe(written);
});
