import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ShareTable, changedBy, lanesHeld, noTable, quotaOf, without } from './share-table.ts';

const nobody: ReadonlySet<string> = new Set();
const wanted = (id: string, given: Partial<Parameters<typeof changedBy>[1]> = {}) => ({
  id,
  form: 'a',
  isReserve: false,
  leads: false,
  lanes: 8,
  gone: nobody,
  left: [],
  ...given,
});
const heldBy = (table: ShareTable) => Object.keys(table.members).map((id) => lanesHeld(table, id).length);

/** Every member looks at the table and hands over what is beyond its part, until nobody does. */
function settled(table: ShareTable): ShareTable {
  let next = table;
  for (let isStill = false; !isStill;) {
    const before = next;
    for (const id of Object.keys(next.members)) {
      const { form, isReserve = false } = next.members[id]!;
      const left = lanesHeld(next, id).slice(quotaOf(next, id));
      next = changedBy(next, wanted(id, { form, isReserve, leads: next.leader === id, left }));
    }
    isStill = JSON.stringify(before) === JSON.stringify(next);
  }
  return next;
}

const tableOf = (ids: readonly string[]): ShareTable =>
  settled(ids.reduce((table, id, n) => changedBy(table, wanted(id, { leads: n === 0 })), noTable));

describe('the table of shares', () => {
  test.each([
    [1, [8]],
    [2, [4, 4]],
    [3, [3, 3, 2]],
    [4, [2, 2, 2, 2]],
    [5, [2, 2, 2, 1, 1]],
    [9, [1, 1, 1, 1, 1, 1, 1, 1, 0]],
  ])('%i members have about as many lanes each', (count, parts) => {
    const table = tableOf(Array.from({ length: count }, (_, n) => `p${n}`));
    expect(heldBy(table).toSorted((a, b) => b - a)).toEqual(parts);
    expect(table.lanes).not.toContain(null);
  });

  test('nobody has anything before one of them has the lease of the whole', () => {
    const table = changedBy(changedBy(noTable, wanted('p0')), wanted('p1'));
    expect(heldBy(table)).toEqual([0, 0]);
    expect(heldBy(settled(changedBy(table, wanted('p1', { leads: true }))))).toEqual([4, 4]);
  });

  test('a member that comes or goes changes no more than its own part, and the table then rests', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghij'), { minLength: 2, maxLength: 10 });
    fc.assert(
      fc.property(ids, fc.nat(), ([first, ...others], n) => {
        const before = tableOf([first!, ...others]);
        const moved = (one: ShareTable, other: ShareTable) =>
          one.lanes.filter((holder, lane) => other.lanes[lane] !== holder).length;
        const joined = settled(changedBy(before, wanted('new')));
        expect(moved(before, joined)).toBe(lanesHeld(joined, 'new').length);
        const leaving = [first!, ...others][n % (others.length + 1)]!;
        const left = settled(without(before, leaving));
        expect(moved(before, left)).toBe(lanesHeld(before, leaving).length);
        const parts = heldBy(left);
        expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
        expect(settled(left)).toEqual(left);
      }),
    );
  });

  test('a lane is nobody else’s until its holder has ended it', () => {
    const joined = changedBy(tableOf(['p0']), wanted('p1'));
    expect(heldBy(joined)).toEqual([8, 0]);
    expect(quotaOf(joined, 'p0')).toBe(4);
    expect(heldBy(changedBy(joined, wanted('p0', { leads: true, left: [6, 7] })))).toEqual([6, 2]);
  });

  test('who is gone is struck off by any other, with its part and its lead', () => {
    const table = changedBy(tableOf(['p0', 'p1']), wanted('p1', { gone: new Set(['p0']) }));
    expect([Object.keys(table.members), table.leader, heldBy(table)]).toEqual([['p1'], null, [8]]);
  });

  test('a release that does its work in another way takes no part, until one of its processes leads', () => {
    const mixed = settled(changedBy(tableOf(['p0', 'p1']), wanted('n0', { form: 'b' })));
    expect(heldBy(mixed)).toEqual([4, 4, 0]);
    const led = settled(changedBy(without(mixed, 'p0'), wanted('n0', { form: 'b', leads: true })));
    expect([led.leader, lanesHeld(led, 'p1').length, lanesHeld(led, 'n0').length]).toEqual(['n0', 0, 8]);
  });

  test('a member that met what it does not know takes only what nobody else can', () => {
    const back = settled(changedBy(tableOf(['p0', 'p1']), wanted('p2', { isReserve: true })));
    expect(heldBy(back)).toEqual([4, 4, 0]);
    const alone = settled(['p0', 'p1'].reduce(without, back));
    expect(heldBy(alone)).toEqual([8]);
  });

  test('a log with more lanes is shared anew by the first leader that has them', () => {
    const few = settled(changedBy(noTable, wanted('p0', { leads: true, lanes: 4, form: 'a 4' })));
    const more = settled(changedBy(without(few, 'p0'), wanted('p1', { leads: true, form: 'a 16' })));
    expect(heldBy(more)).toEqual([8]);
  });
});
