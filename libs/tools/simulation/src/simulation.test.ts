import { describe, expect, test } from '@jest/globals';
import { runSeeds, shrink } from './running/run-seeds.ts';

/** Seconds that seeds are run for: 10 by default, more in CI. */
const seconds = Number(process.env['SIMULATION_SECONDS'] ?? 10);

describe('many processes of two services, whatever goes wrong', () => {
  test('a seed always ends in the same way, step for step', async () => {
    const [one, other] = await Promise.all(
      [1, 2].map(() => runSeeds({ first: 7, seeds: 1, workers: 1, mutation: 'nothing' })),
    );
    expect(one!.found?.history.length).toBeGreaterThan(50);
    expect(one!.found).toEqual(other!.found);
  });

  test('a seed takes the same steps alone as after others, so that it can be run again alone', async () => {
    const [together, ...alone] = await Promise.all([
      runSeeds({ first: 3, seeds: 2, workers: 1 }),
      ...[3, 4].map((first) => runSeeds({ first, seeds: 1, workers: 1 })),
    ]);
    expect(together.steps).toBe(alone.reduce((sum, { steps }) => sum + steps, 0));
  });

  test(
    'nothing acknowledged is lost, nothing comes twice in effect, nobody erased comes back, and everybody goes on',
    async () => {
      const first = Number(process.env['SIMULATION_FIRST'] ?? 1);
      const { found } = await runSeeds({ first, seeds: 1e9, seconds });
      const least = found && (await shrink(found, undefined));
      const report = least && [...least.history.slice(-60), `npm run simulate -- --seed ${least.seed}`, least.found];
      expect(report?.join('\n')).toBeUndefined();
    },
    (seconds + 120) * 1_000,
  );
});
