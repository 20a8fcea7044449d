import { describe, expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { failureTable } from './failure-table.ts';

const root = join(import.meta.dirname, '../../../../..');
const rows = Array.from({ length: 26 }, (_, index) => `C${index + 1}` as const);

describe('the failure table', () => {
  test('has every row from C1 to C26', () => expect(Object.keys(failureTable)).toEqual(rows));

  test.each(rows)('%s has its tests', (row) => {
    const { witnesses } = failureTable[row]!;
    expect(witnesses.length).toBeGreaterThan(0);
    for (const { file, title } of witnesses) {
      const text = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : `no file ${file}`;
      expect(text).toContain(title);
    }
    expect(witnesses.some(({ title }) => title.startsWith(`${row}:`))).toBe(true);
  });
});
