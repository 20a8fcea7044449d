import { Pointers, collectionOf } from './pointers.ts';
import type { Documents } from '../port.ts';

/** A log as far as read models can be compared with it. */
interface Heads {
  readonly lanes: number;
  readonly epoch?: string;
  head(lane: number): Promise<number>;
}

/**
 * Whether read models of a log go further than the log itself: commits that were acknowledged are gone from it. `names`
 * are those of the read models; a build of another log epoch tells nothing.
 */
export async function areAhead(
  documents: Documents,
  log: Heads,
  source: string,
  names: readonly string[],
): Promise<boolean> {
  const pointers = await Pointers.open(documents);
  for (const name of names) {
    const { live } = await pointers.read(name);
    if (!live || live.life !== log.epoch) continue;
    const collection = collectionOf(name, live);
    await documents.open(collection);
    for (let lane = 0; lane < log.lanes; lane += 1)
      if ((await documents.checkpoint(collection, source, lane)) > (await log.head(lane))) return true;
  }
  return false;
}
