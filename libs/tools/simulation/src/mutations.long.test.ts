import { describe, expect, test } from '@jest/globals';
import { mutations } from './mutations.ts';
import { runSeeds } from './running/run-seeds.ts';

/** The faults that a review of the event log has found, each put back into the code that the simulation runs. */
const known = mutations.flatMap(({ name, what, first }): [string, string, number][] =>
  first === undefined ? [] : [[name, what, first]],
);

describe('a fault that was mended is found again when it is put back', () => {
  test.each(known)(
    'E-%s: %s',
    async (mutation, _what, first) => {
      // One process: it mostly finds it at once, and beginning another takes longer than a seed.
      const { seeds, found } = await runSeeds({ first, seeds: 10_000, mutation, workers: 1 });
      expect({ isFound: found !== undefined, seeds }).toMatchObject({ isFound: true });
      // It is this fault that was found: without it, the same seed finds nothing.
      expect((await runSeeds({ first: found!.seed, seeds: 1 })).found?.found).toBeUndefined();
    },
    600_000,
  );
});
