import { fold } from '@lyceum/eventlog';
import { type ModulePorts, type PersonalData, type Slice, aggregate, onlyRecord, streamsOf } from '@lyceum/service';
import { z } from 'zod';
import { notificationEvents } from './notification.events.ts';
import { notificationOperations } from './notification.http.ts';
import { notificationDecider, notificationStream } from './notification.ts';

const notificationData: PersonalData<ModulePorts> = {
  file: 'notifications',
  async read({ school, subject }, { log }) {
    return onlyRecord((await fold(log, notificationDecider, school, notificationStream(subject))).state);
  },
};

const question = z.object({ school: z.string(), ids: z.array(z.string()).max(100) });

/** What some members want mail about, as of now: whoever writes a mail asks. */
async function answerNotifications(asked: unknown, { log }: Pick<ModulePorts, 'log'>) {
  const { school, ids } = question.parse(asked);
  const members = await Promise.all(
    ids.map(async (id) => ({ id, ...(await fold(log, notificationDecider, school, notificationStream(id))).state })),
  );
  return { members };
}

/** What people want mail about. */
export const notificationSlice: Slice = {
  name: 'notifications',
  operations: notificationOperations,
  events: notificationEvents,
  aggregates: [aggregate(streamsOf('notifications_'), notificationDecider)],
  answers: { 'notifications-of-members': answerNotifications },
  personalData: [notificationData],
};
