import { type Checkpoint, OtherHistory, isSameCommit } from '@lyceum/kernel';
import type { Message } from '../port.ts';

/** The owner's history does not connect to the watermark: something in it is missing. Retried, never skipped. */
export class HistoryGap extends Error {
  override readonly name = 'HistoryGap';

  constructor({ source, lane, previous }: Message, watermark: number) {
    super(`${source} lane ${lane} gives nothing from ${watermark} to ${previous}`);
  }
}

/** Throws `HistoryGap` or `OtherHistory` when what comes after the watermark does not follow it. */
export function checkFollows(first: Message, at: Checkpoint): void {
  if (first.previous > at.position) throw new HistoryGap(first, at.position);
  if (first.previous === at.position && !isSameCommit(first.previousId, at.commitId))
    throw new OtherHistory(first.lane, at.position);
}

/** A message that names a commit before the watermark does not show whether what is at the watermark is in its history. */
export function isDoubtful({ previous, position, previousId }: Message, at: Checkpoint): boolean {
  const isKnown = previousId !== undefined && at.commitId !== undefined;
  return isKnown && previous < at.position && position > at.position;
}

/** The first messages, up to where one does not follow the one before. */
export function runOf(messages: readonly Message[]): readonly Message[] {
  const end = messages.findIndex(({ previous, position, previousId }, index) => {
    const before = messages[index - 1];
    if (!before) return false;
    const isOther = previous === before.position && !isSameCommit(previousId, before.commitId);
    return previous > before.position || position <= before.position || isOther;
  });
  return end < 0 ? messages : messages.slice(0, end);
}

/** How many of the first messages follow the watermark for certain, each the one before it, in this log epoch. */
export function followingOf(messages: readonly Message[], at: Checkpoint, epoch: string | undefined): number {
  if (epoch === undefined) return 0;
  let last = at;
  const end = messages.findIndex((message) => {
    const isKnown = last.position === 0 || (last.commitId !== undefined && message.previousId === last.commitId);
    if (message.epoch !== epoch || message.previous !== last.position || !isKnown) return true;
    last = { position: message.position, commitId: message.commitId };
    return false;
  });
  return end < 0 ? messages.length : end;
}
