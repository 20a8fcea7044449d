import { type Decider, differences } from '@lyceum/kernel';
import { type NotificationEvent, type Wanted, notificationEvents } from './notification.events.ts';

/** What may be asked of a member's notifications: those that are named are wanted from now on, or not. */
export interface NotificationCommand {
  readonly type: 'ChooseNotifications';
  readonly wanted: { readonly [Kind in keyof Wanted]?: boolean | undefined };
}

/** The stream of a member's notifications. */
export const notificationStream = (member: string): string => member.replace(/^account_/, 'notifications_');

/** What a member wants to be written to about: everything, until they say otherwise. */
export const notificationDecider: Decider<Wanted, NotificationCommand, NotificationEvent, never> = {
  events: notificationEvents,
  initial: { lessons: true, replies: true, events: true, posts: true },
  decide({ wanted }, state) {
    const different = differences(state, wanted);
    return different ? [{ type: 'NotificationsChosen', data: different }] : [];
  },
  evolve: (state, { data }) => Object.assign({}, state, data),
};
