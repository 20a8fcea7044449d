import type { EventOf } from '@lyceum/kernel';
import { z } from 'zod';

/**
 * The facts of a person's wish to get what is known of them, in a stream beside the account's. Nothing of what is exported is
 * stored: it is read when it is downloaded.
 */
export const exportRequestEvents = {
  /** A mail with a link is to be sent; the link works until then (RFC 3339), unless another one is asked for before. */
  ExportRequested: { version: 1, data: z.object({ expires_at: z.string() }) },
} as const;

/** An event of a request for an export. */
export type ExportRequestEvent = EventOf<typeof exportRequestEvents>;
