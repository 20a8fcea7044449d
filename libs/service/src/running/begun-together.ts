import type { Work } from './leases.ts';

/**
 * Begins one thing after the other: `keep` takes each that goes on. When one cannot begin, those that are kept are closed, the
 * last one first, and its failure is thrown: who tries again would have them twice.
 */
export async function begunInTurn<T>(begin: (keep: <W extends Work>(work: W) => W) => Promise<T>): Promise<T> {
  const begun: Work[] = [];
  const keep = <W extends Work>(work: W): W => {
    begun.push(work);
    return work;
  };
  try {
    return await begin(keep);
  } catch (error) {
    for (const work of begun.reverse()) await work.close().catch(() => undefined);
    throw error;
  }
}

/**
 * Resolves when all of them have begun. When one fails, those that have begun are closed, and its failure is thrown: who
 * tries again would have them twice.
 */
export async function begunTogether<W extends Work>(beginning: Iterable<Promise<W>>): Promise<readonly W[]> {
  const settled = await Promise.allSettled(beginning);
  const begun = settled.filter((each) => each.status === 'fulfilled').map(({ value }) => value);
  const failed = settled.find((each) => each.status === 'rejected');
  if (!failed) return begun;
  await Promise.allSettled(begun.map((work) => work.close()));
  throw failed.reason;
}
