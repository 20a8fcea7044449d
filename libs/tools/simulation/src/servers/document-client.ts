import type { Collection, Documents } from '@lyceum/documents';
import type { KeptStore } from './kept-store.ts';

/** Milliseconds between two looks of those who wait for a checkpoint. */
const look = 100;

/** The documents of a service as one of its processes sees them: shared with others, and away at times. */
export function documentClient(store: KeptStore<Documents>): Documents {
  const client: Documents = store.client({
    exclusive: undefined,
    getNow: undefined,
    scrub: undefined,
    close: async () => undefined,
    // The engine would answer in the task of whoever moves the checkpoint.
    async waitFor(collection: Collection, source: string, lane: number, position: number, timeout: number) {
      for (const end = performance.now() + timeout; ;) {
        if ((await client.checkpoint(collection, source, lane)) >= position) return true;
        if (performance.now() >= end) return false;
        await new Promise((resolve) => setTimeout(resolve, look));
      }
    },
  });
  return client;
}
