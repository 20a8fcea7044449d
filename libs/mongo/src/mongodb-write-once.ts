import type { Collection, Filter, OptionalUnlessRequiredId } from 'mongodb';
import { setTimeout as delay } from 'node:timers/promises';
import { failureOf } from './mongodb-failure.ts';
import { inTime } from './mongodb-time.ts';

/** Looks for a document that is said to be there, and milliseconds after the first one, more after each. */
const [mostTries, pause] = [20, 10];

/**
 * Stores a document that is written once, unless one is stored under its id, and gives the one that is. Of processes that do
 * so at the same time one writes; the others may be told so before they can read what it has written, and look again.
 * Throws what the driver throws.
 */
export async function writeOnce<Stored extends { readonly _id: string }>(
  documents: Collection<Stored>,
  wanted: Stored,
): Promise<Stored> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    if (tries > 0) await delay(tries * pause);
    const found = await documents.findOne<Stored>({ _id: wanted._id } as Filter<Stored>, inTime());
    if (found) return found;
    try {
      await documents.insertOne(wanted as OptionalUnlessRequiredId<Stored>, inTime());
      return wanted;
    } catch (error) {
      if (failureOf(error) !== 'duplicate') throw error;
    }
  }
  throw new Error(`${wanted._id} of ${documents.collectionName} can neither be read nor written`);
}
