import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** What the process remembers that forgets guests: whom, and what for. */
export const retentionEvents = {
  GuestNoted: { version: 1, data: z.object({ guest_id: z.string(), event_id: z.string() }) },
} as const satisfies EventTypes;

/** An event of the process that forgets guests. */
export type RetentionEvent = EventOf<typeof retentionEvents>;
