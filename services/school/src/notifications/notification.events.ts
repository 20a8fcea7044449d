import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** Of what people may be written to, beside what concerns their account and what they bought. */
const wanted = z.object({ lessons: z.boolean(), replies: z.boolean(), events: z.boolean(), posts: z.boolean() });

/** The facts of what a member wants to be written to about, in a stream beside the member's. */
export const notificationEvents = {
  NotificationsChosen: { version: 1, data: wanted.partial() },
} as const satisfies EventTypes;

/** An event of a member's notifications. */
export type NotificationEvent = EventOf<typeof notificationEvents>;

/** What a member wants to be written to about. */
export type Wanted = z.output<typeof wanted>;
