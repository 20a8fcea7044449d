import { fold } from '@lyceum/eventlog';
import { type ModulePorts, type PersonalData, type Slice, aggregate, onlyRecord, streamsOf } from '@lyceum/service';
import { notificationEvents } from './notification.events.ts';
import { notificationOperations } from './notification.http.ts';
import { notificationDecider, notificationStream } from './notification.ts';

const notificationData: PersonalData<ModulePorts> = {
  file: 'notifications',
  async read({ school, subject }, { log }) {
    return onlyRecord((await fold(log, notificationDecider, school, notificationStream(subject))).state);
  },
};

/** What people want mail about. */
export const notificationSlice: Slice = {
  name: 'notifications',
  operations: notificationOperations,
  events: notificationEvents,
  aggregates: [aggregate(streamsOf('notifications_'), notificationDecider)],
  personalData: [notificationData],
};
