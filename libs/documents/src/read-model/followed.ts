import type { Checkpoint } from '@lyceum/kernel';
import type { Fed } from './feed.ts';
import { type Build, collectionOf } from './pointers.ts';
import type { Projection } from '../projection.ts';
import { type Projector, projector } from '../projector/projector.ts';
import type { ReadModelOptions } from './read-model-options.ts';

/** Commits at a time of a build that is complete. */
const liveBatch = 256;

/** A build that is kept up to date. */
export interface Followed extends Fed {
  readonly run: Projector;
  /** Resolves when the source is seen to be in another epoch of its log than the build: it is of no use any more. */
  readonly outlived: Promise<true>;
}

/** The source's log was restored or replaced: what was built from the one before is of no use. */
export class Outlived extends Error {
  override readonly name = 'Outlived';

  constructor(name: string) {
    super(`the log that ${name} was built from was restored or replaced; it is built anew`);
  }
}

/**
 * Keeps a build up to date, as long as the source's log is in the epoch that it was built from. `isWhole`: in all lanes, also
 * where other processes share them.
 */
export function follow(
  options: ReadModelOptions,
  build: Build,
  projection: Projection,
  { isWhole = false } = {},
): Followed {
  const { feed, documents } = options;
  const collection = collectionOf(projection.collection.name, build);
  const run = projector({ ...options, projection: { ...projection, collection } });
  let opened: Promise<void> | undefined;
  const open = (): Promise<void> =>
    (opened ??= documents.open(collection).then(
      // What cannot be redriven now stays parked, where operators see it.
      () => void redriveUnknown(options, run).catch(() => undefined),
      (error: unknown) => {
        // The next call opens it again.
        opened = undefined;
        throw error;
      },
    ));
  open().catch(() => undefined);
  let outlive: (over: true) => void = () => undefined;
  let isOver = false;
  const outlived = new Promise<true>((resolve) => (outlive = resolve));
  const diverged = (): void => outlive((isOver = true));
  const from = async (lane: number, epoch?: string): Promise<Checkpoint> => {
    await open();
    if (epoch !== undefined && epoch !== build.life) diverged();
    if (isOver) throw new Outlived(collection.name);
    return run.from(lane);
  };
  const { name } = collection;
  const fed = feed({ from, diverged, handle: run.handle, batch: liveBatch, name, epoch: build.life, isWhole });
  return { run, outlived, caughtUp: () => fed.caughtUp(), close: () => fed.close() };
}

/** Streams that a release before parked because it did not know an event: this one may know it. */
async function redriveUnknown({ history }: ReadModelOptions, run: Projector): Promise<void> {
  if (!history) return;
  for (const parked of await run.parked()) if (parked.error.startsWith('UnknownEvent: ')) await run.redrive(parked);
}
