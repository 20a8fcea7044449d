import type { EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** The receipt of an invitation, on a stream of its own: a process that starts over does not send again what was sent. */
export const invitationEvents = {
  InvitationSent: { version: 1, data: z.object({}) },
} as const satisfies EventTypes;

/** Where receipts are. */
export const invitationReceiptPrefix = 'invitation-sent-';

/** Receipts stay where the mail was sent from: elsewhere its link means nothing. */
export const isInvitationReceipt = (stream: string): boolean => stream.startsWith(invitationReceiptPrefix);
