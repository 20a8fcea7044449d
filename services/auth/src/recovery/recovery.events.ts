import type { EventOf } from '@lyceum/kernel';
import { z } from 'zod';

/** The stream of an address is named by its keyed hash, whether an account has the address or not. */
export const recoveryStreamPrefix = 'recovery-';

/**
 * Somebody asked to set a new password for an address. Nothing tells whether there is an account: that is looked up when
 * the mail is due, so that asking takes the same time for every address.
 */
export const recoveryEvents = {
  ResetAsked: { version: 1, data: z.object({ language: z.string() }) },
} as const;

export type RecoveryEvent = EventOf<typeof recoveryEvents>;
