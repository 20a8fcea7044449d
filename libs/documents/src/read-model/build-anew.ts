import type { BuildRegister, Claimed } from './build-register.ts';
import { builder } from './builder.ts';
import { Outlived } from './followed.ts';
import type { Lifetime } from './lifetime.ts';
import { type Build, collectionOf } from './pointers.ts';
import type { ReadModelOptions } from './read-model-options.ts';

/** Commits at a time. */
const batch = 256;

/** Milliseconds between signs of life for other processes, which take over a build that gives none. */
const beatEvery = 5_000;

/** A build that was gone on with failed before it got any further; `cause` says why. It is better begun anew. */
export class BuildStuck extends Error {
  override readonly name = 'BuildStuck';
}

/** Another process took over the build. */
class BuildTaken extends Error {
  override readonly name = 'BuildTaken';
}

/**
 * Fills a claimed build from the source up to where that was at the time of the call: from the beginning, or from where it was
 * cut off. Returns it with the epoch of the log that it was made from. Throws `Outlived` when that ends meanwhile, and
 * `BuildStuck`: the build is then of no use. After other failures it can be gone on with.
 */
export async function buildAnew(
  options: ReadModelOptions & { readonly share: number },
  { build, goesOn }: Claimed,
  register: BuildRegister,
  lifetime: Lifetime,
): Promise<Build> {
  const { projection, feed } = options;
  const collection = collectionOf(projection.collection.name, build);
  const work = builder({ ...options, projection: { ...projection, collection } });
  let now = build;
  const beat = async () => {
    if (!(await register.beat(now))) work.abandon(new BuildTaken(`another process builds ${collection.name}`));
  };
  const beating = setInterval(() => void beat().catch(() => undefined), beatEvery);
  const outlived = () => {
    const error = new Outlived(collection.name);
    work.abandon(error);
    return error;
  };
  let noted: Promise<void> | undefined;
  const from = async (lane: number, epoch?: string) => {
    if ((noted ?? goesOn) && epoch !== now.life) throw outlived();
    if (epoch !== undefined) now = { ...build, life: epoch };
    // Before anything of that epoch is stored.
    await (noted ??= beat().catch((error: unknown) => {
      noted = undefined;
      throw error;
    }));
    return work.from(lane);
  };
  const whole = { isWhole: true, isOnce: true } as const;
  const name = `${collection.name}.building`;
  const fed = feed({ from, diverged: () => void outlived(), handle: work.handle, batch, name, ...whole });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= fed.close().catch(() => undefined));
  try {
    await lifetime.unlessEnded(Promise.race([fed.caughtUp(), work.failed]));
    // What it was still given is part of the build.
    await lifetime.unlessEnded(close());
    await lifetime.unlessEnded(work.flush());
    return now;
  } catch (error) {
    if (!goesOn || work.hasMoved || lifetime.hasEnded) throw error;
    throw new BuildStuck(`${collection.name} got no further`, { cause: error });
  } finally {
    clearInterval(beating);
    await Promise.all([work.close(), close()]);
  }
}
