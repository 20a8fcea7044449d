import { describe, expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { availabilityTable } from './availability-table.ts';
import { failureTable } from './failure-table.ts';
import type { Witness } from './witness.ts';

const root = join(import.meta.dirname, '../../../../..');
const rows = Array.from({ length: 26 }, (_, index) => `C${index + 1}` as const);

/** That a file has a test of that title. */
function expectTest({ file, title }: Witness): void {
  const text = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : `no file ${file}`;
  expect(text).toContain(title);
}

describe('the failure table', () => {
  test('has every row from C1 to C26', () => expect(Object.keys(failureTable)).toEqual(rows));

  test.each(rows)('%s has its tests', (row) => {
    const { witnesses } = failureTable[row]!;
    expect(witnesses.length).toBeGreaterThan(0);
    witnesses.forEach(expectTest);
    expect(witnesses.some(({ title }) => title.startsWith(`${row}:`))).toBe(true);
  });
});

describe('the table of availability', () => {
  const claims = Object.entries(availabilityTable);
  const numbered = (letter: string, count: number) => Array.from({ length: count }, (_, index) => letter + (index + 1));

  test('has every claim', () =>
    expect(claims.map(([name]) => name)).toEqual([
      ...numbered('S', 7),
      ...numbered('G', 4),
      ...numbered('A', 5),
      ...numbered('D', 2),
      ...numbered('K', 5),
      ...numbered('R', 3),
    ]));

  test.each(claims)('%s has its tests', (_name, { witnesses }) => {
    expect(witnesses.length).toBeGreaterThan(0);
    witnesses.forEach(expectTest);
  });
});
