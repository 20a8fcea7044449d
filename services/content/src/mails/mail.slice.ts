import { type Slice, aggregate, deliveryProcess, receiptEvents, receipts } from '@lyceum/service';
import { type MailDelivery, type MailEvent, mailEvents } from '../mail-deliveries/mail.events.ts';
import { dueMails } from './mail.due.ts';
import { type MailPorts, mailBy } from './mail.sending.ts';

/** Sends the mails about events, each once, however often something fails or the process starts over. */
const mailProcess = deliveryProcess<MailDelivery, MailEvent, MailPorts>({
  service: 'content',
  name: 'event-mails',
  events: mailEvents,
  due: dueMails,
  postponed: (data) => ({ type: 'MailPostponed', data }),
  abandoned: (data) => ({ type: 'MailAbandoned', data }),
  deliverBy: mailBy,
});

/** Mails about events. The receipts move with a school: where it arrives, its events are heard once more. */
export const mailSlice: Slice = {
  name: 'event-mails',
  operations: [],
  events: receiptEvents,
  processes: [{ manager: mailProcess }],
  aggregates: [aggregate(receipts.isStream, receipts.decider)],
};
