import type { EventOf } from '@lyceum/kernel';
import { z } from 'zod';

/** The facts of how often answers to the refreshes of one grant were asked for again. */
export const refreshRetryEvents = {
  /** The answer to a rotation was given once more. `at`: when the rotation was, seconds since the epoch. */
  RefreshRetried: { version: 1, data: z.object({ at: z.number().int() }) },
} as const;

export type RefreshRetryEvent = EventOf<typeof refreshRetryEvents>;
