/**
 * Up to where a lane of a log was handled: a position, and the id of the commit there, as far as it was kept (releases
 * before kept the position alone). The id tells another history from this one: there the position means another commit.
 */
export interface Checkpoint {
  readonly position: number;
  readonly commitId?: string | undefined;
}

/** A bare position is a checkpoint whose commit is not known. */
export const checkpointFrom = (kept: number | Checkpoint): Checkpoint =>
  typeof kept === 'number' ? { position: kept } : kept;

/** Whether two checkpoints at one position may be of one history: they are, unless both name a commit, and not the same one. */
export const isSameCommit = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined || one === other;

/**
 * The commit at a checkpoint is another one than was handled: an older copy of the log was put in its place, and grew.
 * What was made from the history before is of no use, as in a new log epoch.
 */
export class OtherHistory extends Error {
  override readonly name = 'OtherHistory';
  readonly lane: number;
  readonly at: number;

  constructor(lane: number, at: number) {
    super(`position ${at} of lane ${lane} is another commit than was handled: the log was replaced`);
    this.lane = lane;
    this.at = at;
  }
}
