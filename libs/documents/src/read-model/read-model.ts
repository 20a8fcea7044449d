import { systemClock } from '@lyceum/kernel';
import { BuildRegister, keeping } from './build-register.ts';
import type { Fed } from './feed.ts';
import { storedOf } from './live-documents.ts';
import type { Parked } from '../projector/parked.ts';
import { Pointers } from './pointers.ts';
import type { ReadModelOptions } from './read-model-options.ts';
import type { Redriven } from '../projector/lane-projector.ts';
import { RunningReadModel } from './running-read-model.ts';

/** A read model that is kept up to date, and can be built anew while it is read. */
export interface ReadModel extends Fed {
  readonly name: string;
  readonly version: number;
  readonly source: string;
  /** Whether a build is being made in this process. */
  readonly isBuilding: boolean;
  /** Whether this process keeps it up to date in a lane, as far as that is known here. */
  keeps(lane: number): boolean;
  /** Position of the source's lane up to which this version's complete build goes; 0 while there is none. */
  position(lane: number): Promise<number>;
  /**
   * Resolves when readers get all that the source had at the time of the call, in the lanes that are kept up to date here.
   * While they read an older version that
   * serves until this one is built, when that one is as fresh as it can be kept: erased persons are not in it.
   */
  caughtUp(): Promise<void>;
  /** Resolves when this version is complete and readers get it. Rejects when closed before. */
  built(): Promise<void>;
  /** Builds it anew beside the live one; resolves when readers get the new build. A second call joins the first. */
  rebuild(): Promise<void>;
  /** What waits in the lanes that are kept up to date here. */
  parked(): Promise<readonly Parked[]>;
  redrive(stream: Pick<Parked, 'lane' | 'tenant' | 'stream'>): Promise<Redriven>;
}

/**
 * Keeps a read model up to date. Its first build, and that of a new version, is made from the beginning of the source;
 * readers (see `liveDocuments`) get it once it has caught up, and until then what was there before.
 */
export async function readModel(given: ReadModelOptions): Promise<ReadModel> {
  // A build is one collection; a reader's redirection would mix two.
  const options = { ...given, documents: storedOf(given.documents) };
  const { documents, projection, owner, clock = systemClock } = options;
  const wanted = options.keep ?? keeping;
  // Nobody takes erased persons out of a build that is not followed any more, so such builds do not stay.
  const keep = projection.erase ? { ...wanted, otherVersion: wanted.sameVersion } : wanted;
  const pointers = await Pointers.open(documents);
  const register = new BuildRegister({ documents, pointers, collection: projection.collection, owner, clock, keep });
  await register.sweep(async () => undefined);
  return new RunningReadModel(options, register, await register.read());
}
