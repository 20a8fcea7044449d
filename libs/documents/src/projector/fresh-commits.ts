import type { Checkpoint } from '@lyceum/kernel';
import type { IncomingCommit } from './incoming.ts';

/** The batch does not connect to the checkpoint: positions between were never given. */
export class ProjectionGap extends Error {
  override readonly name = 'ProjectionGap';

  constructor(lane: number, checkpoint: number, previous: number) {
    super(`lane ${lane} stands at ${checkpoint}, but the next commit follows ${previous}`);
  }
}

/** The checkpoint of a commit that was handled. */
export const checkpointOf = ({ position, commitId }: IncomingCommit): Checkpoint =>
  commitId === undefined ? { position } : { position, commitId };

/** The commits after the checkpoint, once it is sure that they follow it without a hole. */
export function freshOf(lane: number, batch: readonly IncomingCommit[], checkpoint: number): readonly IncomingCommit[] {
  const fresh = batch.filter((commit) => commit.position > checkpoint);
  let at = checkpoint;
  for (const { previous, position } of fresh) {
    if (previous > at || position <= at) throw new ProjectionGap(lane, at, previous);
    at = position;
  }
  return fresh;
}
