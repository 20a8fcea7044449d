import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LaneProgress } from './lane-progress.ts';

const works = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 40 });
const order = fc.infiniteStream(fc.nat());

test('a place never passes what is owed, and passes everything else, in whatever order it is done', () => {
  fc.assert(
    fc.property(works, order, (lefts, picks) => {
      const progress = new LaneProgress(7);
      const owed = lefts.flatMap((left, at) => {
        const commit = progress.take(8 + at, left);
        return Array.from({ length: left }, () => commit);
      });
      for (;;) {
        const open = Math.min(...owed.map(({ position }) => position), 8 + lefts.length);
        expect(progress.done).toBe(open - 1);
        if (owed.length === 0) return;
        const [next] = owed.splice(picks.next().value % owed.length, 1);
        progress.finish(next!);
      }
    }),
  );
});
