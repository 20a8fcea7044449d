import { setTimeout as delay } from 'node:timers/promises';
import type { Followers } from './followers.ts';

/** Milliseconds between looks whether there is room. */
const look = 20;

/**
 * Milliseconds for which records of a lane whose followers are full are held, and those of other lanes with them. After that
 * the lane rests, which takes longer: a consumer waits for the end of its fetch before it asks for what rested.
 */
const longestHold = 1_000;

/** Resolves when followers have as much room in a lane (see `Followers`), or when that does not matter any more. */
export async function untilRoom(
  followers: Pick<Followers, 'room'>,
  lane: number,
  { least, isOver }: { readonly least: number; readonly isOver: () => boolean },
): Promise<void> {
  while (followers.room(lane) < least && !isOver()) await delay(look);
}

/** Resolves when there is any room in a lane, or when what began then was held for long enough, or does not matter any more. */
export const held = (
  followers: Pick<Followers, 'room'>,
  lane: number,
  { began, isOver }: { readonly began: number; readonly isOver: () => boolean },
): Promise<void> =>
  untilRoom(followers, lane, {
    least: Number.MIN_VALUE,
    isOver: () => isOver() || performance.now() - began >= longestHold,
  });
