import { setTimeout as pause } from 'node:timers/promises';
import { checkFields } from '../collection/fields.ts';
import { type Followed, follow } from './followed.ts';
import { type LiveDocuments, liveBuild } from './live-documents.ts';
import { type Build, Pointers, collectionOf } from './pointers.ts';
import type { Projection } from '../projection.ts';
import type { ReadModelOptions } from './read-model-options.ts';

/** The checkpoints of a build from which only erasures are applied. */
const erasuresOf = (source: string): string => `${source} erasures`;

/**
 * Takes erased persons out of a build whose own projection is not at hand, by the rule of its successor, for as long as
 * readers may get it; nothing else of it changes. Where that rule leaves no sound document, none is left. Undefined where
 * the rule says nothing about this build.
 */
export function followErasures(options: ReadModelOptions, build: Build): Followed | undefined {
  const { projection, source, documents, feed } = options;
  const { erase } = projection;
  if (!erase || !isCovered(erase, build)) return undefined;
  const side = erasuresOf(source);
  const collection = collectionOf(projection.collection.name, build);
  const forgetting: Projection = {
    collection,
    key: () => undefined,
    project: (_event, before) => before ?? null,
    erase: {
      ...erase,
      forget(body, subject) {
        try {
          const left = erase.forget?.(body, subject) ?? null;
          if (left) checkFields(collection, left);
          return left;
        } catch {
          return null;
        }
      },
    },
  };
  /** What the build's own projection has seen, it has purged. */
  const skip = async (lane: number): Promise<void> => {
    await documents.open(collection);
    const own = await documents.checkpoint(collection, source, lane);
    const at = await documents.checkpoint(collection, side, lane);
    if (at < own) await documents.apply(collection, side, lane, at, own, []);
  };
  const fed: typeof feed = ({ from, name, ...rest }) =>
    feed({
      ...rest,
      epoch: undefined,
      name: `${name}.erasures`,
      async from(lane, epoch) {
        await skip(lane);
        return from(lane, epoch);
      },
    });
  return follow({ ...options, source: side, feed: fed }, build, forgetting);
}

/** Whether the documents of a build can be asked by a rule which is of another version. */
const isCovered = ({ documents: which }: NonNullable<Projection['erase']>, { fields }: Build): boolean =>
  typeof which === 'function' || fields[which.field] === 'text' || fields[which.field] === 'set';

/** A position of a log, in its epoch where it has one. */
export interface ErasedAt {
  readonly lane: number;
  readonly position: number;
  readonly epoch?: string | undefined;
}

/** Milliseconds between looks at what another process may be doing. */
const slice = 100;

/** Whether, before the time is over, what readers get of a read model is without everybody who was erased up to a position. */
export async function purgedUpTo(
  documents: LiveDocuments,
  { collection }: Projection,
  source: string,
  { lane, position, epoch }: ErasedAt,
  timeout: number,
): Promise<boolean> {
  const { stored } = documents;
  const pointers = await Pointers.open(stored);
  const end = performance.now() + timeout;
  for (let isLate = false; ; isLate = performance.now() >= end) {
    const live = liveBuild(await pointers.read(collection.name), collection);
    if (live && (live.life === epoch || epoch === undefined)) {
      const read = collectionOf(collection.name, live);
      await stored.open(read);
      const reached = [source, erasuresOf(source)].map((each) => stored.checkpoint(read, each, lane));
      if (Math.max(...(await Promise.all(reached))) >= position) return true;
    }
    if (isLate) return false;
    await pause(Math.min(slice, Math.max(0, end - performance.now())));
  }
}
