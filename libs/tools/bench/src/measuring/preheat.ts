import type { Round } from './case.ts';

/** A round of preheating, and how long all of them may take, milliseconds. */
const [each, longest] = [2_000, 40_000];
/** As good as before: an operation costs at least this share of the least that one has cost. */
const steady = 0.97;
/** Rounds that are as good as before, one after the other. */
const enough = 2;

/**
 * Works until a server that was just started has compiled what it does often: until two rounds in a row make no operation
 * cheaper, in processor time of the server, than it was; or for `most` milliseconds. Resolves to what an operation cost in each round.
 */
export async function preheat(
  round: (milliseconds: number) => Promise<Round>,
  most: number = longest,
  clock: () => number = () => performance.now(),
): Promise<readonly number[]> {
  const costs: number[] = [];
  const until = clock() + most;
  for (let same = 0, least = Infinity; same < enough && clock() < until;) {
    const { operations, server } = await round(each);
    const cost = (server?.cpu ?? 0) / operations;
    same = cost >= least * steady ? same + 1 : 0;
    least = Math.min(least, cost);
    costs.push(cost);
  }
  return costs;
}
