import type { Decider, EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

const part = z.object({ upload_id: z.string(), size: z.int() });

/** What uploads take of the school's quota and give back, each in the commit of the upload itself. */
export const storageUseEvents = {
  StorageTaken: { version: 1, data: part },
  StorageFreed: { version: 1, data: part },
} as const satisfies EventTypes;

/** The one stream of a school that says how much of its quota is taken. */
export const storageUseStream = 'storage-use';

/** Bytes that ready files have and unfinished uploads may need. */
export interface StorageUse {
  readonly bytes: number;
}

type StorageUseEvent = EventOf<typeof storageUseEvents>;

/** How much of its quota a school has taken. Nothing is asked of it: uploads write its events beside their own. */
export const storageUse: Pick<Decider<StorageUse, never, StorageUseEvent>, 'events' | 'initial' | 'evolve'> = {
  events: storageUseEvents,
  initial: { bytes: 0 },
  evolve: ({ bytes }, { type, data: { size } }) => ({ bytes: type === 'StorageTaken' ? bytes + size : bytes - size }),
};
