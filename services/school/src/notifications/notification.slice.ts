import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { notificationEvents } from './notification.events.ts';
import { notificationOperations } from './notification.http.ts';
import { notificationDecider } from './notification.ts';

/** What people want mail about. */
export const notificationSlice: Slice = {
  name: 'notifications',
  operations: notificationOperations,
  events: notificationEvents,
  aggregates: [aggregate(streamsOf('notifications_'), notificationDecider)],
};
