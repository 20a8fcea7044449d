import type { BuildRegister } from './build-register.ts';
import { builder } from './builder.ts';
import { Outlived } from './followed.ts';
import type { Lifetime } from './lifetime.ts';
import { type Build, collectionOf } from './pointers.ts';
import type { ReadModelOptions } from './read-model-options.ts';

/** Commits at a time. Lanes are read ahead of their turn, so each of them holds as many in memory. */
const batch = 256;

/** Milliseconds between signs of life for other processes, which take over a build that gives none. */
const beatEvery = 5_000;

/**
 * Fills a claimed build from the beginning of the source up to where that was at the time of the call. Returns it with the
 * epoch of the log that it was made from. Throws `Outlived` when that ends meanwhile: the build is then of no use.
 */
export async function buildAnew(
  options: ReadModelOptions & { readonly share: number },
  build: Build,
  register: BuildRegister,
  lifetime: Lifetime,
): Promise<Build> {
  const { projection, feed } = options;
  const collection = collectionOf(projection.collection.name, build);
  const work = builder({ ...options, projection: { ...projection, collection } });
  const beating = setInterval(() => void register.beat(build).catch(() => undefined), beatEvery);
  let epoch: string | undefined;
  const from = async (lane: number, now?: string) => {
    if (epoch !== undefined && now !== epoch) work.abandon(new Outlived(collection.name));
    epoch = now;
    return work.from(lane);
  };
  const diverged = () => work.abandon(new Outlived(collection.name));
  const fed = feed({ from, diverged, handle: work.handle, batch, name: `${collection.name}.building`, isWhole: true });
  try {
    await lifetime.unlessEnded(Promise.race([fed.caughtUp(), work.failed]));
    await lifetime.unlessEnded(work.flush());
  } finally {
    clearInterval(beating);
    await fed.close().catch(() => undefined);
  }
  await lifetime.unlessEnded(work.flush());
  return epoch === undefined ? build : { ...build, life: epoch };
}
