import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deflateSync } from 'node:zlib';
import { Block, type LaneRow, contentOf } from './block.ts';

const rowsOf = (count: number): LaneRow[] =>
  Array.from({ length: count }, (_, n) => ({
    row: 3 * n + 7,
    first: n % 4,
    lines: `["Ünïcode 漢字 ${n}"]\n["${'x'.repeat(n)}"]`,
  }));

const stored = (some: readonly LaneRow[]): Buffer => deflateSync(contentOf(some));

describe('a block', () => {
  test('gives back the text of each row, and nothing for a row that it was made without', () => {
    const all = rowsOf(40);
    const block = new Block(stored(all));
    expect(block.rows()).toEqual(all);
    for (const { row, lines } of all) expect(block.row(row)?.lines).toBe(lines);
    expect(block.row(8)).toBeUndefined();
    expect(block.size).toBeGreaterThan(800);
  });

  test('gives back whatever text rows have', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 20 }), (texts) => {
        const some = texts.map((lines, row) => ({ row, first: 0, lines }));
        const block = new Block(stored(some));
        expect(some.map(({ row }) => block.row(row)?.lines)).toEqual(texts);
      }),
    );
  });

  test('that is cut off or changed at any place gives the rows before it, and is never taken for one without the others', () => {
    const all = rowsOf(40);
    const whole = stored(all);
    fc.assert(
      fc.property(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 0, max: 255 }), (at, change) => {
        const damaged = change === 0 ? whole.subarray(0, at) : Buffer.from(whole);
        if (change > 0) damaged[at] = damaged[at]! ^ change;
        const block = new Block(damaged);
        for (const { row } of all) expect(block.row(row)?.lines).toEqual(expect.any(String));
      }),
    );
    const late = new Block(whole.subarray(0, whole.length - 60));
    expect(all.filter(({ row, lines }) => late.row(row)!.lines === lines).length).toBeGreaterThan(10);
    expect(late.row(all.at(-1)!.row)?.lines).not.toBe(all.at(-1)!.lines);
  });

  test('that is cut off in a line has nothing of that line, whose checksum would be gone', () => {
    const text = '["a"]\n["b"]\t1';
    const content = contentOf([{ row: 1, first: 0, lines: text }]);
    expect(new Block(deflateSync(content.subarray(0, content.length - 2))).row(1)?.lines).toBe('["a"]\n');
    expect(new Block(deflateSync(content.subarray(0, content.length - text.length))).row(1)?.lines).toBe('');
  });

  test.each([['nothing'], ['noise']])('made of %s has damaged rows only', (what) => {
    const block = new Block(what === 'nothing' ? Buffer.alloc(0) : Buffer.from('no block at all'));
    expect([block.rows(), block.row(1)?.lines]).toEqual([undefined, '']);
  });
});
