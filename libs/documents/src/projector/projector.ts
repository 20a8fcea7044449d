import { type Checkpoint, systemClock } from '@lyceum/kernel';
import type { IncomingCommit } from './incoming.ts';
import { LaneProjector, type Redriven } from './lane-projector.ts';
import { type Parked, parkedStreams } from './parked.ts';
import type { ProjectorOptions } from './projector-options.ts';

/** Builds one read model from the lanes of one source. */
export interface Projector {
  /** Where to go on with a lane that is this process's from now on, or is asked for again. */
  from(lane: number): Promise<Checkpoint>;
  /** Up to where the lane has been applied, by whichever process. */
  stored(lane: number): Promise<Checkpoint>;
  /**
   * Applies commits of one lane, ascending; those at or below the checkpoint are passed over, so a repeat changes nothing.
   * Documents and checkpoint move together. One batch of a lane at a time.
   * Events that the projection cannot take fail the batch; once it has failed `tries` times, their streams are parked,
   * however many they are: from then on the events of these streams wait, and all others flow.
   * Throws `ProjectionFailed`, `ProjectionGap`, what the documents throw, or `CheckpointFenced` when it was overtaken five
   * times in a row: nothing of the batch is applied, and the caller tries again.
   */
  handle(lane: number, batch: readonly IncomingCommit[]): Promise<void>;
  /** The streams that wait. */
  parked(): Promise<readonly Parked[]>;
  /**
   * Applies what waits of a stream, in order, and lets it flow again. When an event fails again, the stream stays parked
   * at that one. A crash at any moment leaves it parked, with what was re-applied applied once.
   */
  redrive(stream: Pick<Parked, 'lane' | 'tenant' | 'stream'>): Promise<Redriven>;
}

/** Runs a projection over a source. The collection must be open, and each of its documents fed by this source alone. */
export function projector(options: ProjectorOptions): Projector {
  const { documents, projection, clock = systemClock, tries = 4 } = options;
  const lanes = new Map<number, LaneProjector>();
  const laneOf = (lane: number): LaneProjector => {
    const known = lanes.get(lane) ?? new LaneProjector(lane, { ...options, clock, tries });
    lanes.set(lane, known);
    return known;
  };
  return {
    from: (lane) => laneOf(lane).from(),
    stored: (lane) => laneOf(lane).stored(),
    handle: (lane, batch) => laneOf(lane).handle(batch),
    parked: () => parkedStreams(documents, projection.collection),
    redrive: ({ lane, tenant, stream }) => laneOf(lane).redrive(tenant, stream),
  };
}
